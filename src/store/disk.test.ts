// The steps by which the disk is written that files.test.ts does not see.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { disk } from './disk.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});
afterEach(() => vi.restoreAllMocks());

const at = (name: string): string => path.join(root, name);
const modeOf = (name: string): number => fs.statSync(at(name)).mode & 0o777;
const put = (name: string, text = 'x'): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
  return at(name);
};

it('a folder is copied with links and modes as they are', () => {
  fs.chmodSync(put('from/sub/run', 'text'), 0o700);
  fs.symlinkSync('sub/run', at('from/link'));
  disk.copyFolder(at('from'), at('to'));
  expect(fs.readFileSync(at('to/sub/run'), 'utf8')).toBe('text');
  expect(modeOf('to/sub/run')).toBe(0o700);
  expect(fs.readlinkSync(at('to/link'))).toBe('sub/run');
});

it('a file that is added to is none behind a link', () => {
  put('log');
  fs.symlinkSync(at('log'), at('link'));
  expect(() => disk.openAppend(at('link'), 0o600)).toThrow('ELOOP');
});

it('what is written is written to its end, though the system takes it piece by piece', () => {
  const { writeSync } = fs;
  const small = vi
    .spyOn(fs, 'writeSync')
    .mockImplementation(((file: number, bytes: Buffer, from: number) =>
      writeSync(file, bytes, from, Math.min(2, bytes.length - from))) as never);
  const descriptor = disk.createNew(at('new'), 0o600);
  disk.writeAll(descriptor, 'abcdef');
  disk.close(descriptor);
  expect(small).toHaveBeenCalledTimes(3);
  expect(fs.readFileSync(at('new'), 'utf8')).toBe('abcdef');
});

it('a file is filled where it is, but not one that has a second name', () => {
  put('point', '');
  disk.fill(at('point'), '{}');
  expect(fs.readFileSync(at('point'), 'utf8')).toBe('{}');
  fs.linkSync(at('point'), at('elsewhere'));
  disk.fill(at('point'), '');
  expect(fs.readFileSync(at('elsewhere'), 'utf8')).toBe('{}');
});

it('what is removed is a link itself, never what it leads to', () => {
  put('kept/file');
  fs.mkdirSync(at('folder'));
  fs.symlinkSync(at('kept'), at('folder/link'));
  fs.symlinkSync(at('kept'), at('link'));
  fs.symlinkSync(at('nowhere'), at('dangling'));
  for (const name of ['folder', 'link', 'dangling']) disk.remove(at(name));
  expect(fs.readdirSync(root).sort()).toEqual(['.git', 'kept']);
  expect(fs.readdirSync(at('kept'))).toEqual(['file']);
});
