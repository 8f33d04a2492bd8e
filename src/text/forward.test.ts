import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ForwardLine, linesFrom } from './forward.ts';

const MEGABYTE = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-forward-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

function forward(content: string, from = 0, most = Number.MAX_SAFE_INTEGER): ForwardLine[] {
  const file = path.join(folder, 'log');
  fs.writeFileSync(file, content);
  const descriptor = fs.openSync(file, 'r');
  try {
    return [...linesFrom(descriptor, from, most)];
  } finally {
    fs.closeSync(descriptor);
  }
}

describe('reading lines forward', () => {
  it('gives whole lines, each with the place where the next one begins', () => {
    expect(forward('one\n\nthree\nhal')).toEqual([
      { text: 'one', end: 4 },
      { text: '', end: 5 },
      { text: 'three', end: 11 },
    ]);
    expect(forward('')).toEqual([]);
  });

  it('begins where it is told to, and ends after as many bytes as it may read', () => {
    const text = 'one\ntwo\nthree\n';
    expect(forward(text, 4)).toEqual([
      { text: 'two', end: 8 },
      { text: 'three', end: 14 },
    ]);
    expect(forward(text, 0, 8).map((line) => line.text)).toEqual(['one', 'two']);
    expect(forward(text, 0, 7).map((line) => line.text)).toEqual(['one']);
    expect(forward(text, 4, 4)).toEqual([{ text: 'two', end: 8 }]);
    expect(forward(text, 0, 0)).toEqual([]);
    expect(forward(text, 14)).toEqual([]);
  });

  it('puts lines together that are read in several pieces', () => {
    const long = 'é'.repeat(MEGABYTE);
    const lines = forward(`a\n${long}\nb\n`);
    expect(lines.map(({ text }) => text)).toEqual(['a', long, 'b']);
    expect(lines.map(({ end }) => end)).toEqual([2, 2 * MEGABYTE + 3, 2 * MEGABYTE + 5]);
  });

  it('goes on where the system gives less than was asked for', () => {
    const { readSync } = fs;
    const few = (file: number, buffer: Buffer, offset: number, length: number, position: number): number =>
      readSync(file, buffer, offset, Math.min(length, 3), position);
    vi.spyOn(fs, 'readSync').mockImplementation(few as typeof fs.readSync);
    expect(forward('one\nfour\nfive\n', 0, 12)).toEqual([
      { text: 'one', end: 4 },
      { text: 'four', end: 9 },
    ]);
  });

  it('passes over a line that is too long, and gives what comes after it', () => {
    const most = 16 * MEGABYTE;
    const fits = 'x'.repeat(most);
    expect(forward(`${fits}\nb\n`).map(({ text }) => text?.length)).toEqual([most, 1]);
    const lines = forward(`a\n${fits}${'y'.repeat(MEGABYTE)}\nb\n`);
    expect(lines).toEqual([
      { text: 'a', end: 2 },
      { text: null, end: 17 * MEGABYTE },
      { text: null, end: 17 * MEGABYTE + 3 },
      { text: 'b', end: 17 * MEGABYTE + 5 },
    ]);
  });
});
