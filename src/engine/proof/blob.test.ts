import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { blobOf } from './blob.ts';
import { gitFoldersOf } from './git-folders.ts';

const MEGABYTE = 1024 * 1024;
let folder: string;
beforeEach(() => {
  folder = bareProject().root;
});
afterEach(() => vi.restoreAllMocks());

const at = (name: string): string => path.join(folder, name);
const write = (name: string, content: string | Buffer = 'x'): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), content);
  return at(name);
};
const blob = (name = 'a') => blobOf(Buffer.from(at(name)), folder, 'sha1');
const idOf = (content: string | Buffer, hash = 'sha1'): string =>
  createHash(hash)
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
const MOVING = { mode: '000000', id: expect.stringMatching(/^moving-\d+$/) };

describe('a file as a blob', () => {
  it('has the id that git gives it, by the repository’s own hash, and its mode', async () => {
    for (const size of [0, 4, MEGABYTE, MEGABYTE + 1, 2 * MEGABYTE + 5]) {
      write('a', Buffer.alloc(size, 'a'));
      expect(await blob()).toEqual({ mode: '100644', id: idOf(Buffer.alloc(size, 'a')) });
    }
    fs.chmodSync(write('a', 'one'), 0o744);
    expect(await blobOf(Buffer.from(at('a')), folder, 'sha256')).toEqual({
      mode: '100755',
      id: idOf('one', 'sha256'),
    });
    fs.chmodSync(at('a'), 0o655);
    expect((await blob())?.mode).toBe('100644');
    fs.symlinkSync('no/where', at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    fs.mkdirSync(at('folder'));
    expect(await blob('link')).toEqual({ mode: '120000', id: idOf('no/where') });
    expect(await blob('pipe')).toEqual({ mode: '000000', id: 'special' });
    expect([await blob('none'), await blob('folder'), await blob('a/b')]).toEqual([null, null, null]);
  });

  it.each([
    ['EACCES', { mode: '000000', id: 'unreadable' }],
    ['EPERM', { mode: '000000', id: 'unreadable' }],
    ['ELOOP', MOVING],
    ['ENXIO', MOVING],
    ['EIO', null],
  ])('that cannot be opened for %s is %j', async (code, expected) => {
    write('a');
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    if (expected === null) await expect(blob()).rejects.toThrow(code);
    else expect(await blob()).toEqual(expected);
  });

  it('that became a pipe since, or grows shorter, is like nothing else, and is not waited for', async () => {
    write('a');
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      fs.rmSync(at('a'));
      execFileSync('mkfifo', [at('a')]);
      return open(...args);
    });
    const first = await blob();
    expect(first).toEqual(MOVING);
    vi.restoreAllMocks();
    fs.rmSync(at('a'));
    write('a', Buffer.alloc(MEGABYTE + 10));
    vi.spyOn(fs, 'readSync').mockReturnValue(0);
    const second = await blob();
    expect(second).toEqual(MOVING);
    expect(second?.id).not.toBe(first?.id);
  });

  it('that somebody writes is read again, three times at most', async () => {
    write('a', 'one');
    const read = fs.readSync;
    const whileWriting = async (times: number) => {
      let writes = 0;
      vi.spyOn(fs, 'readSync').mockImplementation(((...args: Parameters<typeof fs.readSync>) => {
        if (writes++ < times) fs.appendFileSync(at('a'), 'more');
        return read(...args);
      }) as typeof fs.readSync);
      return [await blob(), writes];
    };
    expect(await whileWriting(2)).toEqual([{ mode: '100644', id: idOf('onemoremore') }, 3]);
    expect(await whileWriting(3)).toEqual([MOVING, 3]);
  });
});

describe('where a repository keeps its things', () => {
  const repository = (name = '.git', config = ''): void => {
    write(`${name}/HEAD`, 'ref: refs/heads/main\n');
    write(`${name}/config`, config);
    fs.mkdirSync(at(`${name}/objects`));
  };
  const found = () => gitFoldersOf(folder);
  const plain = { hash: 'sha1', ignoreCase: false, precomposeUnicode: false, split: false };

  it('is its own folder, where a file says, or two folders in a linked work tree', () => {
    repository();
    expect(found()).toEqual({ own: at('.git'), common: at('.git'), ...plain });
    write('.git/sharedindex.0123');
    expect(found()?.split).toBe(true);
    fs.renameSync(at('.git'), at('main'));
    for (const place of ['main', at('main')]) {
      write('.git', `gitdir: ${place}\n`);
      expect(found()).toMatchObject({ own: at('main'), common: at('main') });
    }
    write('main/worktrees/w/HEAD');
    write('main/worktrees/w/commondir', '../..\n');
    write('.git', 'gitdir: main/worktrees/w\n');
    expect(found()).toEqual({ own: at('main/worktrees/w'), common: at('main'), ...plain });
    write('main/worktrees/w/commondir', '../../gone\n');
    expect(found()).toBeNull();
  });

  it.each([
    ['[extensions]\n\tobjectformat = sha256\n', { hash: 'sha256' }],
    ['[extensions] objectFormat="sha256"\n', { hash: 'sha256' }],
    ['[core]\n\tignorecase = true\n', { ignoreCase: true }],
    ['[core]\nPrecomposeUnicode=true', { precomposeUnicode: true }],
    ['[core]\n\tignorecase = trueish\n\tnoignorecase = true\n# objectformat = sha256\n', {}],
    ['[core]\nignorecase = true\n'.padEnd(MEGABYTE), { ignoreCase: true }],
    ['[core]\nignorecase = true\n'.padEnd(MEGABYTE + 1), {}],
  ])('is read in its config: %.70j', (config, more) => {
    repository('.git', config);
    expect(found()).toMatchObject({ ...plain, ...more });
  });

  it.each<[string, () => void]>([
    ['a .git', () => fs.rmSync(at('.git'), { recursive: true })],
    ['a HEAD', () => fs.rmSync(at('.git/HEAD'))],
    ['objects', () => fs.rmdirSync(at('.git/objects'))],
    [
      'objects that are a folder',
      () => {
        fs.rmdirSync(at('.git/objects'));
        write('.git/objects');
      },
    ],
  ])('is nowhere without %s', (_, act) => {
    repository();
    act();
    expect(found()).toBeNull();
  });

  it.each([
    '',
    'main\n',
    'gitdir: \n',
    'gitdir: gone\n',
    'gitdir: main/HEAD\n',
    'a gitdir: main\n',
    '\ngitdir: main\n',
  ])('is nowhere by a file with %j', (text) => {
    repository('main');
    write('.git', text);
    expect(found()).toBeNull();
  });
});
