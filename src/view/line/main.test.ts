import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { main } from './main.ts';

const MOST = 1024 * 1024;

let written: string[];
let listeners: Record<string, (chunk: string) => void>;

/** Standard input as `kind`, with this in it. */
function send(kind: 'file' | 'pipe' | 'socket' | 'terminal', text = '', size = text.length): void {
  const is =
    (...kinds: string[]) =>
    () =>
      kinds.includes(kind);
  const { fstatSync, readFileSync } = fs;
  vi.spyOn(fs, 'fstatSync').mockImplementation(((descriptor: number, options: never) =>
    descriptor === 0
      ? { size, isFile: is('file'), isFIFO: is('pipe'), isSocket: is('socket') }
      : fstatSync(descriptor, options)) as typeof fstatSync);
  vi.spyOn(fs, 'readFileSync').mockImplementation(((file: number, options: never) =>
    file === 0 ? text : readFileSync(file, options)) as typeof readFileSync);
}

beforeEach(() => {
  written = [];
  listeners = {};
  const { writeSync } = fs;
  vi.spyOn(fs, 'writeSync').mockImplementation((...words: Parameters<typeof writeSync>) =>
    words[0] > 2 ? writeSync(...words) : written.push(`${words[0]}: ${words[1]}`),
  );
  vi.spyOn(process, 'exit').mockImplementation(((code: number) => written.push(`exit ${code}`)) as never);
  vi.spyOn(process.stdin, 'on').mockImplementation(((event: string, listen: () => void) => {
    listeners[event] = listen;
    return process.stdin;
  }) as never);
});
afterEach(() => void vi.restoreAllMocks());

/** A project with a run that is known by its file alone, and what a client in it sends. */
function sentFrom(session = 's1'): string {
  const project = bareProject();
  const lines = ['---', 'active: true', 'iteration: 2', 'max_iterations: 5', '---', 'Do it.', ''];
  writeIn(project, '.claude/idle-loop.local.md', lines.join('\n'));
  return JSON.stringify({ ...(session === '' ? {} : { session_id: session }), cwd: project.root });
}

describe('the status line', () => {
  it('is printed for the folder that is sent as a file', async () => {
    send('file', sentFrom(''));
    await main();
    expect(written).toEqual([expect.stringMatching(/^1: idle [^\n]+\n$/), 'exit 0']);
  });

  it.each(['pipe', 'socket'] as const)('is printed for what comes through a %s', async (kind) => {
    send(kind);
    const printing = main();
    const sent = sentFrom('');
    listeners.data?.(sent.slice(0, 5));
    listeners.data?.(sent.slice(5));
    listeners.end?.('');
    await printing;
    expect(written).toEqual([expect.stringMatching(/^1: idle [^\n]+\n$/), 'exit 0']);
  });

  it('is none of another session’s run', async () => {
    send('file', sentFrom('s2'));
    await main();
    expect(written).toEqual(['exit 0']);
  });

  it('is printed for a file of a megabyte, and nothing is read of a larger one', async () => {
    const sent = sentFrom('');
    send('file', sent, MOST);
    await main();
    expect(written).toEqual([expect.stringMatching(/^1: idle /), 'exit 0']);
    written = [];
    vi.mocked(fs.fstatSync).mockRestore();
    vi.mocked(fs.readFileSync).mockRestore();
    send('file', sent, MOST + 1);
    await main();
    expect(written).toEqual(['exit 0']);
  });

  it('waits no longer for what is larger than a megabyte', async () => {
    send('pipe');
    const printing = main();
    listeners.data?.(sentFrom('').padEnd(MOST + 1));
    await printing;
    expect(written).toEqual([expect.stringMatching(/^1: idle /), 'exit 0']);
  });

  it('is about the folder it is run in where nothing is sent', async () => {
    send('terminal', sentFrom(''));
    await main();
    expect(written).toEqual(['exit 0']);
    expect(listeners).toEqual({});
  });

  it('is one line about what went wrong', async () => {
    vi.spyOn(fs, 'fstatSync').mockImplementation(() => {
      throw new Error('no\u001b[2J input\nat all');
    });
    await main();
    expect(written).toEqual(['2: holdfast: no status line: no [2J input\n', 'exit 1']);
  });
});
