import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { linesFromEnd } from './backward.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-backward-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

function backward(content: string | Buffer, limit?: number) {
  const file = path.join(folder, 'log');
  fs.writeFileSync(file, content);
  const descriptor = fs.openSync(file, 'r');
  try {
    return [...linesFromEnd(descriptor, limit)];
  } finally {
    fs.closeSync(descriptor);
  }
}

describe('reading lines from the end', () => {
  it('gives whole lines, last first, with their offsets', () => {
    expect(backward('one\ntwo\nthree\n')).toEqual([
      { text: 'three', start: 8, torn: false },
      { text: 'two', start: 4, torn: false },
      { text: 'one', start: 0, torn: false },
    ]);
  });

  it('marks a last line without its line end as torn', () => {
    expect(backward('one\ntw')).toEqual([
      { text: 'tw', start: 4, torn: true },
      { text: 'one', start: 0, torn: false },
    ]);
  });

  it('gives nothing for an empty file and passes over empty lines', () => {
    expect(backward('')).toEqual([]);
    expect(backward('\n\na\n\n').map((line) => line.text)).toEqual(['a']);
  });

  it('joins a line that spans many chunks', () => {
    const long = 'é'.repeat(200_000);
    expect(backward(`a\n${long}\nb\n`).map((line) => line.text)).toEqual(['b', long, 'a']);
  });

  it('reads on when the system gives less than was asked for', () => {
    const { readSync } = fs;
    const few = (file: number, buffer: Buffer, offset: number, length: number, position: number): number =>
      readSync(
        file,
        buffer,
        offset,
        offset + length > buffer.length ? length : Math.min(length, 3),
        position,
      );
    vi.spyOn(fs, 'readSync').mockImplementation(few as typeof fs.readSync);
    expect(backward('one\ntwo\nthree\n').map((line) => line.text)).toEqual(['three', 'two', 'one']);
  });

  it('reads no further than the limit and gives no line cut by it', () => {
    expect(backward('aaaa\nbbbb\ncccc\n', 8).map((line) => line.text)).toEqual(['cccc']);
  });

  it('agrees with splitting the whole text, whatever the lines', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.boolean(), (lines, ended) => {
        const text = lines.join('\n') + (ended ? '\n' : '');
        const expected = text.split('\n').filter((part) => part !== '');
        expect(backward(text).map((found) => found.text)).toEqual(expected.reverse());
      }),
      { numRuns: 200 },
    );
  });
});
