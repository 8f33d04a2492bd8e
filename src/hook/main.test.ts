import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events } from './events.ts';
import { main } from './main.ts';
import { readStdin } from './stdin.ts';

beforeEach(() => void vi.stubEnv('HOLDFAST_DISABLE', undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const writeForReal = fs.writeSync;
const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

/** Standard input gives these, one after the other; an error is thrown, and then it is at its end. */
function give(...parts: readonly (string | Buffer | Error)[]): void {
  const left = [...parts];
  vi.spyOn(fs, 'readSync').mockImplementation(((descriptor: number, buffer: Buffer) => {
    expect(descriptor).toBe(0);
    const part = left.shift();
    if (part instanceof Error) throw part;
    return part === undefined ? 0 : Buffer.from(part).copy(buffer);
  }) as typeof fs.readSync);
}

describe('standard input', () => {
  it.each<[string, readonly (string | Buffer | Error)[], string]>([
    ['is empty', [], ''],
    [
      'comes in pieces, also in the middle of a letter',
      [Buffer.from([0xc3]), Buffer.from([0xa4]), 'b'],
      'äb',
    ],
    ['ends with an error that says so', ['a', errorOf('EOF')], 'a'],
    ['is not there yet', [errorOf('EAGAIN'), 'a', errorOf('EAGAIN'), 'b'], 'ab'],
  ])('%s', (_, parts, text) => {
    give(...parts);
    expect(readStdin()).toBe(text);
  });

  it('that cannot be read is an error', () => {
    give('a', errorOf('EIO'));
    expect(readStdin).toThrow('EIO');
  });

  it.each([
    [4096, ''],
    [4097, null],
  ])('of %i times 64 kB is read: %j', (chunks, text) => {
    let left = chunks;
    vi.spyOn(fs, 'readSync').mockImplementation(((_: number, { length }: Buffer) =>
      left-- > 0 ? length : 0) as typeof fs.readSync);
    // The same memory each time: nobody looks into it.
    vi.spyOn(Buffer, 'allocUnsafe').mockReturnValue(Buffer.alloc(64 * 1024) as never);
    vi.spyOn(Buffer, 'concat').mockReturnValue(Buffer.alloc(0) as never);
    const read = readStdin();
    // Before the test's own process is told of anything.
    vi.restoreAllMocks();
    expect(read).toBe(text);
  });
});

describe('a call of the hook', () => {
  let left: unknown[] = [];
  const call = async (...args: string[]): Promise<unknown[]> => {
    left = ['never left'];
    await main(args, (...how) => {
      left = how;
    });
    return left;
  };
  /** What is written, by descriptor; each step is how many bytes are taken at once, or an error. */
  function written(...steps: (number | string)[]): string[] {
    const out: string[] = [];
    vi.spyOn(fs, 'writeSync').mockImplementation(((to: number, what: string | Buffer, from?: number) => {
      // Somebody's file, perhaps of a test that played before in this process: no word to the client.
      if (to > 2) return writeForReal(to, Buffer.from(what), from ?? 0);
      const step = steps.shift() ?? 1000;
      if (typeof step === 'string') throw errorOf(step);
      const piece = Buffer.from(what).subarray(from ?? 0, (from ?? 0) + step);
      out.push(`${to} ${piece.toString()}`);
      return piece.length;
    }) as typeof fs.writeSync);
    return out;
  }
  const answering = (more: object = {}) =>
    vi
      .spyOn(events, 'stop')
      .mockResolvedValue({ stdout: '{"a":1}', stderr: '', exitCode: 0, held: true, ...more });

  it.each([
    [
      ['later'],
      'there is no hook "later"; there are stop, pre-compact, session-start, stop-failure. The stop',
    ],
    [['constructor'], 'there is no hook "constructor"'],
    [['stop', '--client', 'nobody'], 'there is no client "nobody"; --client takes one of '],
    [['stop', '--client'], 'there is no client ""'],
    [['stop', '--limit', '12345678901'], '"12345678901" is no time limit'],
    [['--limit', 'x1'], '"x1" is no time limit; --limit takes the hook\'s timeout'],
    [['--client', 'claude-code', '--limit', '60'], 'Invalid JSON on standard input'],
  ])('with %j says what is wrong with it', async (args, said) => {
    give('[1]');
    const out = written();
    expect(await call(...args)).toEqual([1, false]);
    expect(out).toEqual([expect.stringMatching(/^2 Holdfast: .*\. The stop is allowed\.\n$/)]);
    expect(out[0]).toContain(said);
  });

  it('of another event speaks of no stop, and is silent where nothing concerns us', async () => {
    give('{}');
    const out = written();
    expect(await call('session-start', '--client', 'nobody')).toEqual([1, false]);
    expect(out.splice(0)).toEqual([expect.stringMatching(/^2 .* --client takes one of [^.]+\.\n$/)]);
    for (const event of ['session-start', 'pre-compact', 'stop-failure']) {
      give('no json');
      expect(await call('--limit', '60', event)).toEqual([0, false]);
    }
    expect(out).toEqual([]);
  });

  it.each<[string, (number | string)[], string]>([
    ['at once', [], '{"a":1}'],
    ['in pieces, whenever there is room', [3, 'EAGAIN', 2, 'EAGAIN'], '{"a":1}'],
    ['up to the client’s end', [3, 'EPIPE'], '{"a'],
  ])('writes its answer %s', async (_, steps, whole) => {
    answering();
    give('{}');
    const out = written(...steps);
    expect(await call('stop')).toEqual([0, true]);
    expect(out.map((piece) => piece.slice(2)).join('')).toBe(whole);
  });

  it('fails where its answer cannot be written', async () => {
    answering();
    give('{}');
    written('EIO');
    await expect(call('stop')).rejects.toThrow('EIO');
  });

  it('does what comes afterwards once the answer is out, and nothing of that is the client’s concern', async () => {
    const out = written();
    const order: string[] = [];
    const afterwards = async () => {
      order.push(...out);
      throw new Error('too late');
    };
    answering({ stderr: 'a\u001b[2Jb', held: false, afterwards });
    give('{}');
    expect(await call('stop')).toEqual([0, false]);
    expect(order).toEqual(['2 a [2Jb', '1 {"a":1}']);
  });

  it('that is switched off reads and says nothing', async () => {
    vi.stubEnv('HOLDFAST_DISABLE', '1');
    const read = vi.spyOn(fs, 'readSync');
    const out = written();
    expect([await call('stop'), out, read.mock.calls]).toEqual([['never left'], [], []]);
  });
});
