import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../project.ts';
import { isFlooded, MOST_MEGABYTES_READ, readText } from './output.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const at = (name: string): string => path.join(project.root, name);
const LIMIT = 32 * 1024 * 1024;

/** Most of it is a hole that takes no room. */
function long(bytes: number): string {
  const file = writeIn(project, 'long', '');
  fs.truncateSync(file, bytes);
  return file;
}

describe('what a reviewer printed', () => {
  it('is the text of its file', () => {
    expect(readText(writeIn(project, 'out', 'é one\n'))).toBe('é one\n');
    expect(isFlooded(at('out'))).toBe(false);
  });

  it('is nothing where there is no file', () => {
    execFileSync('mkfifo', [at('fifo')]);
    fs.mkdirSync(at('folder'));
    writeIn(project, 'out', 'one');
    fs.symlinkSync('out', at('link'));
    for (const name of ['gone', 'fifo', 'folder', 'link', 'out/x']) expect(readText(at(name))).toBe('');
    for (const name of ['gone', 'fifo', 'folder', 'link']) expect(isFlooded(at(name))).toBe(false);
  });

  it('is at most 32 megabytes long', () => {
    expect(MOST_MEGABYTES_READ).toBe(32);
    const read = vi.spyOn(fs, 'readFileSync').mockReturnValue('read');
    try {
      expect([readText(long(LIMIT)), isFlooded(at('long'))]).toEqual(['read', false]);
      expect([readText(long(LIMIT + 1)), isFlooded(at('long'))]).toEqual(['', true]);
      expect(read).toHaveBeenCalledOnce();
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.each([
    ['EIO', true],
    ['EACCES', false],
  ])('is tried again at the next stop when it cannot be read now: %s, %s', (code, isThrown) => {
    const file = writeIn(project, 'out', 'one');
    const error = Object.assign(new Error(code), { code });
    vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw error;
    });
    try {
      if (isThrown) expect(() => readText(file)).toThrow(error);
      else expect(readText(file)).toBe('');
    } finally {
      vi.restoreAllMocks();
    }
  });
});
