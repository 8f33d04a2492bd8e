// Which files the journal has, and that a number opens the file that has it, also while one becomes a segment.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { isPosition, openSegment, segmentsOf } from './journal-segments.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
  fs.mkdirSync(path.join(root, '.holdfast'));
});
afterEach(() => vi.restoreAllMocks());

const at = (name: string): string => path.join(root, '.holdfast', name);
const put = (...names: readonly string[]): void => {
  for (const name of names) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), name);
  }
};
const FIRST = 'journal/00000001.jsonl';
const SECOND = 'journal/00000002.jsonl';
/** What is in the file that was opened. */
const opened = (segment: number): string | null => {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return null;
  const text = fs.readFileSync(descriptor, 'utf8');
  fs.closeSync(descriptor);
  return text;
};

describe('the segments of a journal', () => {
  it('are the one that is written to, where there is no other', () => {
    expect(segmentsOf(root)).toEqual([1]);
    put('journal.jsonl');
    expect(segmentsOf(root)).toEqual([1]);
  });

  it('are numbered from the oldest that is kept', () => {
    put('journal/00000009.jsonl', 'journal/00000010.jsonl', 'journal/notes.txt');
    expect(segmentsOf(root)).toEqual([9, 10, 11]);
  });

  it('begin with what an early version left, where that is a file', () => {
    put('journal.jsonl.1', FIRST);
    expect(segmentsOf(root)).toEqual([0, 1, 2]);
    fs.rmSync(at('journal.jsonl.1'));
    fs.mkdirSync(at('journal.jsonl.1'));
    expect(segmentsOf(root)).toEqual([1, 2]);
  });
});

describe('a segment that is opened', () => {
  it('is the file of its number', () => {
    put('journal.jsonl', 'journal.jsonl.1', FIRST, SECOND);
    expect([0, 1, 2, 3, 4].map(opened)).toEqual(['journal.jsonl.1', FIRST, SECOND, 'journal.jsonl', null]);
  });

  it('is none where it is gone, or not there yet', () => {
    expect([0, 1, 2].map(opened)).toEqual([null, null, null]);
    put(SECOND);
    expect([1, 3].map(opened)).toEqual([null, null]);
  });

  it('is none where a folder or a link is in its place', () => {
    put(SECOND);
    fs.mkdirSync(at(FIRST));
    fs.mkdirSync(at('journal.jsonl.1'));
    fs.symlinkSync(at(SECOND), at('journal.jsonl'));
    expect([0, 1, 3].map(opened)).toEqual([null, null, null]);
  });

  it('has its number although it became a segment while it was opened', () => {
    put('journal.jsonl');
    const { openSync } = fs;
    vi.spyOn(fs, 'openSync').mockImplementationOnce((file, flags, mode) => {
      // As another process does it in this very moment: the file moves, and the next one begins.
      fs.mkdirSync(at('journal'));
      fs.renameSync(at('journal.jsonl'), at(FIRST));
      fs.writeFileSync(at('journal.jsonl'), 'the next one');
      return openSync(file, flags, mode);
    });
    const open = fs.readdirSync('/proc/self/fd').length;
    expect(opened(1)).toBe('journal.jsonl');
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(open);
    expect(opened(2)).toBe('the next one');
  });

  it('has its number although it was gone for the moment in which it became one', () => {
    put('journal.jsonl');
    const { lstatSync } = fs;
    let isMoved = false;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string, options: object) => {
      if (file === at('journal.jsonl') && !isMoved) {
        isMoved = true;
        fs.mkdirSync(at('journal'));
        fs.renameSync(at('journal.jsonl'), at(FIRST));
      }
      return lstatSync(file, options);
    }) as typeof lstatSync);
    expect(opened(1)).toBe('journal.jsonl');
  });
});

it.each([
  [{ segment: 0, offset: 0 }, true],
  [{ segment: 3, offset: 120 }, true],
  [{ segment: -1, offset: 0 }, false],
  [{ segment: 0, offset: 0.5 }, false],
  [{ segment: 0 }, false],
  [{ offset: 0 }, false],
  [null, false],
])('%j is a position: %s', (value, is) => {
  expect(isPosition(value)).toBe(is);
});
