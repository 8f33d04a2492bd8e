import { afterEach, describe, expect, it, vi } from 'vitest';

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.unstubAllEnvs();
});

let times = 0;

/** As a process begins with it. */
async function painted(terminal: boolean | undefined, noColour: string | undefined) {
  process.stdout.isTTY = terminal as boolean;
  vi.stubEnv('NO_COLOR', noColour);
  const file = `./paint.ts?${++times}`;
  const paint: typeof import('./paint.ts') = await import(/* @vite-ignore */ file);
  const { bold, dim, green, yellow, red } = paint;
  return [bold, dim, green, yellow, red].map((style) => style('x'));
}

const COLOURS = [
  '\u001b[1mx\u001b[22m',
  '\u001b[2mx\u001b[22m',
  '\u001b[32mx\u001b[39m',
  '\u001b[33mx\u001b[39m',
  '\u001b[31mx\u001b[39m',
];
const PLAIN = ['x', 'x', 'x', 'x', 'x'];

describe('colour', () => {
  it.each([
    [true, undefined, COLOURS],
    [true, '', COLOURS],
    [true, '1', PLAIN],
    [false, undefined, PLAIN],
    [undefined, undefined, PLAIN],
  ])('where a terminal is %j and NO_COLOR is %j', async (terminal, noColour, texts) => {
    expect(await painted(terminal, noColour)).toEqual(texts);
  });
});
