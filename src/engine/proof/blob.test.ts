import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blobOf } from './blob.ts';
import {
  areAllOrdinary,
  changed,
  countOf,
  each,
  entriesIn,
  entryAt,
  fingerprintOf,
  hasMoreThan,
  isOrdinary,
  lineOf,
  placeOf,
} from './entries.ts';
import { gitFoldersOf } from './git-folders.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-blob-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const write = (name: string, content: string | Buffer = 'x'): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), content);
  return at(name);
};
const blob = (name: string) => blobOf(Buffer.from(at(name)), folder, 'sha1');
const idOf = (content: string | Buffer, hash = 'sha1'): string =>
  createHash(hash)
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

describe('a file as a blob', () => {
  it.each([
    ['empty', ''],
    ['short', 'one\n'],
    ['of one piece', Buffer.alloc(1024 * 1024, 'a')],
    ['of two pieces', Buffer.alloc(1024 * 1024 + 1, 'b')],
    ['of three', Buffer.alloc(2 * 1024 * 1024 + 5, 'c')],
  ])('that is %s has the id that git gives it', async (_, content) => {
    write('a', content);
    expect(await blob('a')).toEqual({ mode: '100644', id: idOf(content) });
  });

  it('is executable where its owner may execute it', async () => {
    fs.chmodSync(write('a'), 0o744);
    expect(await blob('a')).toMatchObject({ mode: '100755' });
    fs.chmodSync(at('a'), 0o655);
    expect(await blob('a')).toMatchObject({ mode: '100644' });
  });

  it('has an id by the repository’s own hash', async () => {
    write('a', 'one\n');
    expect(await blobOf(Buffer.from(at('a')), folder, 'sha256')).toEqual({
      mode: '100644',
      id: idOf('one\n', 'sha256'),
    });
  });

  it('is none where there is no file, or a folder', async () => {
    write('a/b');
    expect([await blob('none'), await blob('a'), await blob('a/b/c')]).toEqual([null, null, null]);
  });

  it('is where it leads to, of a link', async () => {
    fs.symlinkSync('no/where', at('link'));
    expect(await blob('link')).toEqual({ mode: '120000', id: idOf('no/where') });
  });

  it('is special where it is neither', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(await blob('pipe')).toEqual({ mode: '000000', id: 'special' });
  });

  it.each(['EACCES', 'EPERM'])('that may not be read (%s) counts as long as it is there', async (code) => {
    write('a');
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw errorOf(code);
    });
    expect(await blob('a')).toEqual({ mode: '000000', id: 'unreadable' });
  });

  it.each(['ELOOP', 'ENXIO'])('that was replaced since (%s) is like nothing else', async (code) => {
    write('a');
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw errorOf(code);
    });
    const [one, two] = [await blob('a'), await blob('a')];
    expect(one).toEqual({ mode: '000000', id: expect.stringMatching(/^moving-\d+$/) });
    expect(one?.id).not.toBe(two?.id);
  });

  it('that became a pipe since is like nothing else, and is not waited for', async () => {
    write('a');
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      fs.rmSync(at('a'));
      execFileSync('mkfifo', [at('a')]);
      return open(...args);
    });
    expect(await blob('a')).toEqual({ mode: '000000', id: expect.stringMatching(/^moving-\d+$/) });
  });

  it('that fails to be read for another reason is an error', async () => {
    write('a');
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw errorOf('EIO');
    });
    await expect(blob('a')).rejects.toThrow('EIO');
  });

  it('that somebody writes is read again, three times at most', async () => {
    write('a', 'one');
    const read = fs.readSync;
    let writes = 0;
    const writingFor = (times: number): void => {
      writes = 0;
      vi.spyOn(fs, 'readSync').mockImplementation(((...args: Parameters<typeof fs.readSync>) => {
        if (writes++ < times) fs.appendFileSync(at('a'), 'more');
        return read(...args);
      }) as typeof fs.readSync);
    };
    writingFor(2);
    expect(await blob('a')).toEqual({ mode: '100644', id: idOf('onemoremore') });
    expect(writes).toBe(3);
    writingFor(3);
    expect((await blob('a'))?.id).toMatch(/^moving-/);
    expect(writes).toBe(3);
  });

  it('that grows shorter while it is read does not keep us', async () => {
    write('a', Buffer.alloc(1024 * 1024 + 10));
    vi.spyOn(fs, 'readSync').mockReturnValue(0);
    expect((await blob('a'))?.id).toMatch(/^moving-/);
  });
});

describe('where a repository keeps its things', () => {
  const repository = (name = '.git', config = ''): void => {
    write(`${name}/HEAD`, 'ref: refs/heads/main\n');
    write(`${name}/config`, config);
    fs.mkdirSync(at(`${name}/objects`));
  };
  const found = () => gitFoldersOf(folder);

  it('is its own folder', () => {
    repository();
    expect(found()).toEqual({
      ...{ own: at('.git'), common: at('.git'), hash: 'sha1' },
      ...{ ignoreCase: false, precomposeUnicode: false, split: false },
    });
  });

  it.each([
    ['[extensions]\n\tobjectFormat = sha256\n', { hash: 'sha256' }],
    ['[extensions] objectformat="sha256"\n', { hash: 'sha256' }],
    ['[core]\n\tignorecase = true\n', { ignoreCase: true }],
    ['[core]\n\tignorecase = trueish\n', { ignoreCase: false }],
    ['[core]\n\tprecomposeUnicode=true\n', { precomposeUnicode: true }],
    ['[core]\n\t# ignorecase = true\n', { ignoreCase: false }],
  ])('with %j as its config', (config, says) => {
    repository('.git', config);
    expect(found()).toMatchObject(says);
  });

  it('has an index in two parts where there is a shared one', () => {
    repository();
    write('.git/sharedindex.0123');
    expect(found()?.split).toBe(true);
  });

  it('is none without a HEAD, without objects, and without git', () => {
    expect(found()).toBeNull();
    repository();
    fs.rmSync(at('.git/HEAD'));
    expect(found()).toBeNull();
    write('.git/HEAD');
    expect(found()).not.toBeNull();
    fs.rmdirSync(at('.git/objects'));
    write('.git/objects');
    expect(found()).toBeNull();
  });

  it('is named by a file, of a linked work tree', () => {
    repository('main');
    write('main/worktrees/w/HEAD');
    write('main/worktrees/w/commondir', '../..\n');
    write('.git', 'gitdir: main/worktrees/w\n');
    expect(found()).toMatchObject({ own: at('main/worktrees/w'), common: at('main') });
    write('main/worktrees/w/commondir', '../../gone\n');
    expect(found()).toBeNull();
  });

  it.each(['', 'main\n', 'gitdir: gone\n', 'gitdir: main/HEAD\n'])(
    'is none where the file says %j',
    (text) => {
      repository('main');
      write('.git', text);
      expect(found()).toBeNull();
    },
  );

  it('is what can be read: a config that is none, or too long, says nothing', () => {
    repository();
    fs.rmSync(at('.git/config'));
    fs.mkdirSync(at('.git/config'));
    expect(found()?.hash).toBe('sha1');
    fs.rmdirSync(at('.git/config'));
    const config = '[core]\nignorecase = true\n';
    write('.git/config', `${config}${' '.repeat(1024 * 1024 - config.length)}`);
    expect(found()?.ignoreCase).toBe(true);
    fs.appendFileSync(at('.git/config'), ' ');
    expect(found()?.ignoreCase).toBe(false);
  });
});

describe('a list of entries', () => {
  const id = '1'.repeat(40);
  const line = (file: string, tag = 'H', mode = '100644', stage = '0'): Buffer =>
    Buffer.from(`${tag} ${mode} ${id} ${stage}\t${file}\0`);
  const listOf = (...lines: Buffer[]) => entriesIn(Buffer.concat(lines));
  const plain = listOf(line('a'), line('b/c'), line('b/d.ts'), line('e'));

  it('knows each, and how many there are', () => {
    expect(countOf(plain)).toBe(4);
    expect(entryAt(plain, 1)).toEqual({
      ...{ tag: 'H', mode: '100644', id, stage: '0', path: Buffer.from('b/c') },
    });
    expect([3, 4, 5].map((many) => hasMoreThan(plain, many))).toEqual([true, false, false]);
    expect([hasMoreThan(listOf(), 0), hasMoreThan(listOf(line('a')), 0)]).toEqual([false, true]);
    expect(countOf(listOf())).toBe(0);
  });

  it('may be longer than a thousand', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `f${String(index).padStart(4, '0')}`);
    const long = listOf(...names.map((name) => line(name)));
    expect(countOf(long)).toBe(3000);
    expect([0, 1023, 1024, 2047, 2048, 2999].map((index) => entryAt(long, index).path.toString())).toEqual([
      ...['f0000', 'f1023', 'f1024', 'f2047', 'f2048', 'f2999'],
    ]);
  });

  it.each<[string, Buffer, boolean]>([
    ['a file', line('x'), true],
    ['a link', line('x', 'H', '120000'), true],
    ['another repository', line('x', 'H', '160000'), false],
    ['one that git was told to believe', line('x', 'h'), false],
    ['one that it was told to skip', line('x', 'S'), false],
    ['one in a merge', line('x', 'M', '100644', '2'), false],
  ])('tells what is ordinary: %s', (_, odd, ordinary) => {
    expect(areAllOrdinary(listOf(odd, line('z')))).toBe(ordinary);
    expect(areAllOrdinary(listOf(line('a'), odd))).toBe(ordinary);
    expect(isOrdinary(listOf(line('a'), odd), 1, 40)).toBe(ordinary);
  });

  it('of a merge has a stage, and an empty one is ordinary', () => {
    expect(isOrdinary(listOf(line('x', 'H', '100644', '1')), 0, 40)).toBe(false);
    expect(areAllOrdinary(listOf())).toBe(true);
  });

  it('is searched by its paths', () => {
    const placesOf = ['', 'a', 'a0', 'b/c', 'b/cc', 'e', 'f'].map((file) =>
      placeOf(plain, Buffer.from(file)),
    );
    expect(placesOf).toEqual([0, 0, 1, 1, 2, 3, 4]);
  });

  const paths = (entries: typeof plain): string[] => [...each(entries)].map((entry) => entry.path.toString());
  const own = (file: string): Buffer => lineOf({ mode: '100755', id }, Buffer.from(file));

  it('has changes in their places: added, replaced and gone', () => {
    const changes = new Map([
      ['0', own('0')],
      ['b/c', null],
      ['b/cc', own('b/cc')],
      ['e', own('e')],
      ['f', own('f')],
      ['gone', null],
    ]);
    const next = changed(plain, changes, []);
    expect(paths(next)).toEqual(['0', 'a', 'b/cc', 'b/d.ts', 'e', 'f']);
    expect(entryAt(next, 4)).toMatchObject({ mode: '100755', tag: 'H', stage: '0' });
    expect(changed(plain, new Map([['gone', null]]), [])).toBe(plain);
    expect(paths(changed(listOf(), new Map([['x', own('x')]]), []))).toEqual(['x']);
  });

  it('has no change at or below what is left out', () => {
    const changes = new Map([
      ['b', own('b')],
      ['b/new', own('b/new')],
      ['bb', own('bb')],
    ]);
    expect(paths(changed(plain, changes, [Buffer.from('b')]))).toEqual(['a', 'bb', 'e']);
  });

  it('has each stage of a merge taken away together', () => {
    const merged = listOf(line('a', 'M', '100644', '1'), line('a', 'M', '100644', '2'), line('b'));
    expect(paths(changed(merged, new Map([['a', own('a')]]), []))).toEqual(['a', 'b']);
  });

  it('has a fingerprint of all of it, or of what patterns name', () => {
    const sum = (...lines: Buffer[]): string =>
      createHash('sha256').update(Buffer.concat(lines)).digest('hex');
    const [a, c, d, e] = [line('a'), line('b/c'), line('b/d.ts'), line('e')];
    expect(fingerprintOf(plain, null)).toBe(sum(a, c, d, e));
    expect(fingerprintOf(plain, [])).toBe(sum());
    expect(fingerprintOf(plain, ['a'])).toBe(sum(a));
    expect(fingerprintOf(plain, ['b'])).toBe(sum(c, d));
    expect(fingerprintOf(plain, ['./b/'])).toBe(sum(c, d));
    expect(fingerprintOf(plain, ['b/**'])).toBe(sum(c, d));
    expect(fingerprintOf(plain, ['**'])).toBe(sum(a, c, d, e));
    expect(fingerprintOf(plain, ['b/*.ts'])).toBe(sum(d));
    expect(fingerprintOf(plain, ['**/*.ts', 'e', 'e'])).toBe(sum(d, e));
    expect(fingerprintOf(plain, ['none'])).toBe(sum());
  });
});
