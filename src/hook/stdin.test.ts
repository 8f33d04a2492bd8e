import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStdin } from './stdin.ts';

afterEach(() => void vi.restoreAllMocks());

const code = (name: string): Error => Object.assign(new Error(name), { code: name });

/** Standard input gives these one after the other, then it is at its end. */
function giving(...parts: readonly (Buffer | Error)[]): void {
  const left = [...parts];
  vi.spyOn(fs, 'readSync').mockImplementation(((descriptor: number, buffer: Buffer) => {
    expect(descriptor).toBe(0);
    const part = left.shift();
    if (part instanceof Error) throw part;
    return part?.copy(buffer) ?? 0;
  }) as typeof fs.readSync);
}

describe('standard input', () => {
  const text = Buffer.from('a – b');

  it.each<[string, (Buffer | Error)[], string]>([
    ['nothing', [], ''],
    ['one part', [text], 'a – b'],
    ['parts that are cut within a character', [text.subarray(0, 3), text.subarray(3)], 'a – b'],
    ['many parts', [text, text, text], 'a – ba – ba – b'],
    ['what comes after a wait', [code('EAGAIN'), text, code('EAGAIN'), text], 'a – ba – b'],
    ['what comes before an end that is an error', [text, code('EOF')], 'a – b'],
  ])('is read whole: %s', (_, parts, whole) => {
    giving(...parts);
    expect(readStdin()).toBe(whole);
  });

  it('that cannot be read is an error', () => {
    giving(text, code('EIO'));
    expect(readStdin).toThrow('EIO');
  });

  it('of more than anybody sends is none', () => {
    let reads = 0;
    vi.spyOn(fs, 'readSync').mockImplementation(((_: number, buffer: Buffer) => {
      reads++;
      return buffer.length;
    }) as typeof fs.readSync);
    expect(readStdin()).toBeNull();
    expect(reads).toBe(4097);
  });
});
