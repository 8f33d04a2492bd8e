// What removes a test's folder: something the test started may still be writing in it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeFolder } from './support/remove-folder.ts';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-busy-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

it('removes what came into it while it was removed', () => {
  const remove = vi.spyOn(fs, 'rmSync');
  for (const late of ['one', 'two'])
    remove.mockImplementationOnce(() => {
      fs.mkdirSync(path.join(folder, late));
      fs.rmdirSync(folder);
    });

  removeFolder(folder);

  expect(fs.existsSync(folder)).toBe(false);
  expect(remove).toHaveBeenCalledTimes(3);
});

it('removes nothing where nothing is, and says what it cannot remove', () => {
  removeFolder(path.join(folder, 'nothing'));

  expect(fs.readdirSync(folder)).toEqual([]);
  expect(() => removeFolder(`${folder}/\0`)).toThrow('null bytes');
});
