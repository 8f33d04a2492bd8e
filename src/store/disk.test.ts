// Each step by which the disk is written, on a real one.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('a folder', () => {
  it('is made with all that are missing above it, and stays where it is there', () => {
    disk.makeFolder(at('a/b/c'));
    put('a/b/c/kept');
    disk.makeFolder(at('a/b/c'));
    expect(fs.readdirSync(at('a/b/c'))).toEqual(['kept']);
  });

  it('that is new has its mode, and is none where something is', () => {
    disk.makeNewFolder(at('new'), 0o700);
    expect([fs.statSync(at('new')).isDirectory(), modeOf('new')]).toEqual([true, 0o700]);
    expect(() => disk.makeNewFolder(at('new'), 0o700)).toThrow('EEXIST');
  });

  it('gets another mode', () => {
    disk.makeNewFolder(at('new'), 0o700);
    disk.setFolderMode(at('new'), 0o750);
    expect(modeOf('new')).toBe(0o750);
  });

  it('is copied with links and modes as they are', () => {
    fs.chmodSync(put('from/sub/run', 'text'), 0o700);
    fs.symlinkSync('sub/run', at('from/link'));
    disk.copyFolder(at('from'), at('to'));
    expect(fs.readFileSync(at('to/sub/run'), 'utf8')).toBe('text');
    expect(modeOf('to/sub/run')).toBe(0o700);
    expect(fs.readlinkSync(at('to/link'))).toBe('sub/run');
  });
});

describe('a new file', () => {
  it('is made with its mode, for writing alone', () => {
    const descriptor = disk.createNew(at('new'), 0o600);
    disk.writeAll(descriptor, 'text');
    expect(() => fs.readSync(descriptor, Buffer.alloc(1), 0, 1, 0)).toThrow('EBADF');
    disk.close(descriptor);
    expect([fs.readFileSync(at('new'), 'utf8'), modeOf('new')]).toEqual(['text', 0o600]);
  });

  it('is none where a file or a link is, also one to nowhere', () => {
    put('file');
    fs.symlinkSync(at('nowhere'), at('link'));
    for (const name of ['file', 'link']) expect(() => disk.createNew(at(name), 0o600)).toThrow('EEXIST');
    expect([fs.readFileSync(at('file'), 'utf8'), fs.existsSync(at('nowhere'))]).toEqual(['x', false]);
  });
});

describe('a file that is added to', () => {
  it('is made with its mode where there is none', () => {
    disk.close(disk.openAppend(at('log'), 0o600));
    expect([fs.readFileSync(at('log'), 'utf8'), modeOf('log')]).toEqual(['', 0o600]);
  });

  it('keeps what it has, takes all at its end, and can be read', () => {
    put('log', 'one\n');
    const descriptor = disk.openAppend(at('log'), 0o600);
    const other = disk.openAppend(at('log'), 0o600);
    disk.writeAll(other, 'two\n');
    disk.writeAll(descriptor, 'three\n');
    const byte = Buffer.alloc(3);
    fs.readSync(descriptor, byte, 0, 3, 0);
    for (const each of [descriptor, other]) disk.close(each);
    expect(fs.readFileSync(at('log'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(byte.toString()).toBe('one');
  });

  it('is none behind a link', () => {
    put('log');
    fs.symlinkSync(at('log'), at('link'));
    expect(() => disk.openAppend(at('link'), 0o600)).toThrow('ELOOP');
  });
});

describe('what is written', () => {
  it.each(['', 'plain', 'Zoë ✓ 漢字 😀'])('is written as it is: %j', (text) => {
    const descriptor = disk.createNew(at('new'), 0o600);
    disk.writeAll(descriptor, text);
    disk.close(descriptor);
    expect(fs.readFileSync(at('new'), 'utf8')).toBe(text);
  });

  it('is written to its end, though the system takes it piece by piece', () => {
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

  it('is synced by its descriptor, and its mode can be set', () => {
    const sync = vi.spyOn(fs, 'fsyncSync');
    const descriptor = disk.createNew(at('new'), 0o600);
    disk.setMode(descriptor, 0o640);
    disk.sync(descriptor);
    disk.close(descriptor);
    expect(sync.mock.calls).toEqual([[descriptor]]);
    expect(modeOf('new')).toBe(0o640);
    expect(() => fs.fstatSync(descriptor)).toThrow('EBADF');
  });
});

it('a file is filled where it is, but not one that has a second name', () => {
  put('point', '');
  disk.fill(at('point'), '{}');
  expect(fs.readFileSync(at('point'), 'utf8')).toBe('{}');
  fs.linkSync(at('point'), at('elsewhere'));
  disk.fill(at('point'), '');
  expect(fs.readFileSync(at('elsewhere'), 'utf8')).toBe('{}');
});

it('a file is renamed, over another as well', () => {
  put('one', '1');
  put('two', '2');
  disk.rename(at('one'), at('two'));
  expect([fs.existsSync(at('one')), fs.readFileSync(at('two'), 'utf8')]).toEqual([false, '1']);
});

describe('what is removed', () => {
  it('is a file, a folder with all that is in it, or nothing', () => {
    put('file');
    put('folder/sub/file');
    put('folder/file');
    fs.mkdirSync(at('folder/empty'));
    for (const name of ['file', 'folder', 'none']) disk.remove(at(name));
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  it('is a link itself, never what it leads to', () => {
    put('kept/file');
    fs.mkdirSync(at('folder'));
    fs.symlinkSync(at('kept'), at('folder/link'));
    fs.symlinkSync(at('kept'), at('link'));
    fs.symlinkSync(at('nowhere'), at('dangling'));
    for (const name of ['folder', 'link', 'dangling']) disk.remove(at(name));
    expect(fs.readdirSync(root).sort()).toEqual(['.git', 'kept']);
    expect(fs.readdirSync(at('kept'))).toEqual(['file']);
  });
});
