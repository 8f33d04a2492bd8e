import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events } from './events.ts';
import { main } from './main.ts';
import { currentFolder } from './runtime.ts';
import { readStdin } from './stdin.ts';

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
    ['comes at once', ['{"a":1}'], '{"a":1}'],
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
    expect(() => readStdin()).toThrow('EIO');
  });

  it('is read up to what anybody sends', () => {
    // The content does not matter, only how much there is: 64 KiB at a time.
    const chunks = (256 * 1024 * 1024) / (64 * 1024);
    const readAll = (count: number): string | null => {
      let left = count;
      vi.spyOn(fs, 'readSync').mockImplementation(((_: number, buffer: Buffer) =>
        left-- > 0 ? buffer.length : 0) as typeof fs.readSync);
      // The same memory each time: nobody looks into it.
      const made = vi.spyOn(Buffer, 'allocUnsafe').mockReturnValue(Buffer.alloc(64 * 1024) as never);
      const concat = vi.spyOn(Buffer, 'concat').mockReturnValue(Buffer.from('all of it') as never);
      const text = readStdin();
      concat.mockRestore();
      made.mockRestore();
      return text;
    };
    expect(readAll(chunks)).toBe('all of it');
    expect(readAll(chunks + 1)).toBeNull();
  });
});

describe('a call of the hook', () => {
  let written: [number, string][];
  beforeEach(() => {
    written = [];
    vi.stubEnv('HOLDFAST_DISABLE', undefined);
    vi.spyOn(fs, 'writeSync').mockImplementation(((
      descriptor: number,
      what: string | Buffer,
      from: number | null,
    ) => {
      // Somebody's file, perhaps of a test that played before in this process: no word to the client.
      if (descriptor > 2) return writeForReal(descriptor, Buffer.from(what), from ?? 0);
      const at = from ?? 0;
      written.push([descriptor, Buffer.from(what).subarray(at).toString()]);
      return Buffer.byteLength(what) - at;
    }) as typeof fs.writeSync);
  });
  const call = async (...args: string[]): Promise<unknown[]> => {
    let left: unknown[] = ['never left'];
    await main(args, (...how) => {
      left = how;
    });
    return left;
  };

  it.each([
    [['later'], 'there is no hook "later"; there are stop, pre-compact, session-start, stop-failure'],
    [['stop', '--client', 'nobody'], 'there is no client "nobody"; --client takes one of '],
    [['stop', '--client'], 'there is no client ""'],
    [['stop', '--limit', '0'], '"0" is no time limit; --limit takes the hook\'s timeout'],
    [['stop', '--limit', '12345678901'], '"12345678901" is no time limit'],
    [['stop', '--limit', 'x1'], '"x1" is no time limit'],
    [['stop', '--limit'], '"" is no time limit'],
    [['constructor'], 'there is no hook "constructor"'],
  ])('with %j is refused, and the stop is allowed', async (args, said) => {
    give('{}');
    expect(await call(...args)).toEqual([1, false]);
    expect(written).toHaveLength(1);
    expect(written[0]?.[0]).toBe(2);
    expect(written[0]?.[1]).toContain(`Holdfast: ${said}`);
    expect(written[0]?.[1]).toMatch(/\. The stop is allowed\.\n$/);
  });

  it('of another event speaks of no stop', async () => {
    give('{}');
    expect(await call('session-start', '--client', 'nobody')).toEqual([1, false]);
    expect(written[0]?.[1]).toMatch(
      /^Holdfast: there is no client "nobody"; --client takes one of [^.]+\.\n$/,
    );
  });

  it.each([
    ['', 'it is empty. Clients send the stop as one JSON object.'],
    ['[1]', 'a stop is one JSON object, as clients send it.'],
  ])('with %j as its input says what is wrong', async (input, said) => {
    give(input);
    expect(await call('--client', 'claude-code', '--limit', '60')).toEqual([1, false]);
    expect(written).toEqual([
      [2, `Holdfast: Invalid JSON on standard input: ${said} The stop is allowed.\n`],
    ]);
  });

  it('for a folder that is not there says so', async () => {
    give(JSON.stringify({ session_id: 's', cwd: '/no/such/folder' }));
    expect(await call('stop')).toEqual([1, false]);
    expect(written).toEqual([
      [
        2,
        "Holdfast: Cannot change to the stop's folder /no/such/folder: it is not there. The stop is allowed.\n",
      ],
    ]);
  });

  describe('whose answer is held up', () => {
    const answer = JSON.stringify({ systemMessage: 'x'.repeat(50) });
    const answerIn = async (...steps: readonly (number | string)[]): Promise<string> => {
      vi.spyOn(events, 'stop').mockResolvedValue({ stdout: answer, stderr: '', exitCode: 0, held: true });
      const left = [...steps];
      let out = '';
      vi.spyOn(fs, 'writeSync').mockImplementation(((_: number, bytes: Buffer, from: number) => {
        const step = left.shift() ?? bytes.length;
        if (typeof step === 'string') throw errorOf(step);
        const piece = bytes.subarray(from, from + step);
        out += piece.toString();
        return piece.length;
      }) as typeof fs.writeSync);
      give('{}');
      expect(await call('stop')).toEqual([0, true]);
      return out;
    };

    it('is written whole, however a pipe takes it', async () => {
      expect(await answerIn()).toBe(answer);
      expect(await answerIn(3, 'EAGAIN', 5, 'EAGAIN')).toBe(answer);
    });

    it('is given up where the client is gone', async () => {
      expect(await answerIn(3, 'EPIPE')).toBe(answer.slice(0, 3));
    });

    it('is an error where it cannot be written', async () => {
      await expect(answerIn('EIO')).rejects.toThrow('EIO');
    });
  });

  it('does what comes afterwards once the answer is out, and nothing of that is the client’s concern', async () => {
    const order: string[] = [];
    vi.spyOn(events, 'stop').mockResolvedValue({
      ...{ stdout: '{}', stderr: 'a\u001b[2Jb', exitCode: 0 },
      afterwards: async () => {
        order.push(...written.map(([descriptor, text]) => `${descriptor} ${text}`));
        throw new Error('too late');
      },
    });
    give('{}');
    expect(await call('stop')).toEqual([0, false]);
    expect(order).toEqual(['2 a [2Jb', '1 {}']);
  });

  it('that is switched off reads and says nothing', async () => {
    vi.stubEnv('HOLDFAST_DISABLE', '1');
    const read = vi.spyOn(fs, 'readSync');
    expect(await call('stop')).toEqual(['never left']);
    expect(written).toEqual([]);
    expect(read).not.toHaveBeenCalled();
  });

  it.each(['session-start', 'pre-compact', 'stop-failure'])(
    'for another event, %s, is silent where nothing concerns us',
    async (event) => {
      give('no json');
      expect(await call('--limit', '60', event)).toEqual([0, false]);
      expect(written).toEqual([]);
    },
  );
});

it('a folder that was deleted under us is the top', () => {
  expect(currentFolder()).toBe(process.cwd());
  vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw errorOf('ENOENT');
  });
  expect(currentFolder()).toBe('/');
});
