import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { filesOf, listRuns, readRunFile } from './files.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

describe('the files of a run', () => {
  it('are in a folder of its own', () => {
    const folder = path.join(root, '.holdfast/flow/a-1-1');
    expect(filesOf(root, 'a-1-1')).toEqual({
      folder,
      definition: path.join(folder, 'definition.json'),
      state: path.join(folder, 'state.json'),
      task: path.join(folder, 'task.md'),
    });
  });

  it('are read up to a megabyte; what is none of ours reads as an empty one', () => {
    const file = path.join(root, 'file');
    expect(readRunFile(file, root)).toBeNull();
    fs.writeFileSync(file, 'x'.repeat(1024 * 1024));
    expect(readRunFile(file, root)).toBe('x'.repeat(1024 * 1024));
    fs.writeFileSync(file, 'x'.repeat(1024 * 1024 + 1));
    expect(readRunFile(file, root)).toBe('');
    expect(readRunFile(root, root)).toBe('');
    fs.writeFileSync(path.join(root, '../outside'), 'secret');
    fs.symlinkSync('../outside', path.join(root, 'link'));
    expect(readRunFile(path.join(root, 'link'), root)).toBe('');
  });

  it('are of no run where there is no folder', () => {
    expect(listRuns(root)).toEqual([]);
    fs.mkdirSync(path.join(root, '.holdfast'));
    fs.writeFileSync(path.join(root, '.holdfast/flow'), '');
    expect(listRuns(root)).toEqual([]);
  });
});
