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

  it.each([
    [5, []],
    [6, ['cccc']],
    [10, ['cccc']],
    [11, ['cccc', 'bbbb']],
    [14, ['cccc', 'bbbb']],
    [15, ['cccc', 'bbbb', 'aaaa']],
    [16, ['cccc', 'bbbb', 'aaaa']],
    [0, []],
  ])('gives of three lines with a limit of %d bytes: %j', (limit, lines) => {
    expect(backward('aaaa\nbbbb\ncccc\n', limit).map((line) => line.text)).toEqual(lines);
  });

  it('gives what stands before a byte, as if the file ended there', () => {
    const file = path.join(folder, 'log');
    fs.writeFileSync(file, 'one\ntwo\nthree\n');
    const descriptor = fs.openSync(file, 'r');
    try {
      const upTo = (byte: number, limit = 100) =>
        [...linesFromEnd(descriptor, limit, byte)].map(({ text, start }) => [text, start]);
      expect(upTo(8)).toEqual([
        ['two', 4],
        ['one', 0],
      ]);
      expect(upTo(8, 5)).toEqual([['two', 4]]);
      expect(upTo(0)).toEqual([]);
      expect(upTo(99)).toHaveLength(3);
    } finally {
      fs.closeSync(descriptor);
    }
  });

  it('gives nothing of a file that is cut while it is read', () => {
    const { fstatSync } = fs;
    const longer = (file: number) => ({ ...fstatSync(file), size: fstatSync(file).size + 5 });
    vi.spyOn(fs, 'fstatSync').mockImplementation(longer as typeof fs.fstatSync);
    expect(backward('one\ntwo\n')).toEqual([]);
  });

  it('has the offset and the end of a line right across chunks', () => {
    const chunk = 64 * 1024;
    const lines = ['a'.repeat(chunk - 1), 'b'.repeat(chunk), 'c'];
    const found = backward(`${lines.join('\n')}\n`);
    expect(found.map(({ text, start, torn }) => [text.length, start, torn])).toEqual([
      [1, 2 * chunk + 1, false],
      [chunk, chunk, false],
      [chunk - 1, 0, false],
    ]);
    expect(backward('x'.repeat(chunk + 1))).toEqual([{ text: 'x'.repeat(chunk + 1), start: 0, torn: true }]);
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
