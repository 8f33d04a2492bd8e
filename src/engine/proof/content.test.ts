// What exactly the content of a repository is, file by file; what counts as a change of it is in test/proof.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gitIn, makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { contentOf } from './content.ts';

let repository: Repository;

beforeEach(() => {
  repository = makeRepository();
  repository.write('a.txt', 'one\n');
  repository.write('src/b.txt', 'two\n');
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'first');
});

afterEach(() => {
  vi.restoreAllMocks();
  repository.end();
});

const blob = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

const at = (file: string): string => path.join(repository.root, file);

const look = (root = repository.root) => contentOf(root, repository.env, { without: ['.holdfast'] });

/** A repository below this one; answers with its path. */
function nest(folder: string): string {
  fs.mkdirSync(at(folder), { recursive: true });
  gitIn(at(folder), repository.home, ['init', '-q']);
  return at(folder);
}

describe('the files of a repository', () => {
  it('are those of its index as they are now, and those that nobody added', async () => {
    repository.write('gone.txt', 'gone');
    repository.write('staged.txt', 'staged');
    repository.git('add', '-A');
    repository.remove('gone.txt');
    repository.write('a.txt', 'changed');
    repository.write('new/c.txt', 'new');
    repository.write('.holdfast/journal', 'ours');
    fs.symlinkSync('a.txt', at('link'));
    expect(await repository.files()).toEqual({
      'a.txt': blob('changed'),
      link: blob('a.txt'),
      'new/c.txt': blob('new'),
      'src/b.txt': blob('two\n'),
      'staged.txt': blob('staged'),
    });
  });

  it('are named from the project’s folder, where that is one of the repository', async () => {
    repository.write('src/deep/c.txt', 'c');
    repository.write('src/.holdfast/journal', 'ours');
    repository.write('.holdfast/journal', 'of the top');
    expect(Object.fromEntries((await look(at('src')))?.files() ?? [])).toEqual({
      '../.holdfast/journal': blob('of the top'),
      '../a.txt': blob('one\n'),
      'b.txt': blob('two\n'),
      'deep/c.txt': blob('c'),
    });
  });

  it.each([
    [['deep'], ['deep/', '/deep', '//deep', './deep', 'deep/**'], 'src/deep/c.txt'],
    [['../a.txt'], ['/../a.txt', './../a.txt', 'deep/../../a.txt'], 'a.txt'],
  ])('are named by patterns from there: %j', async (pattern, same, file) => {
    repository.write('src/deep/c.txt', 'c');
    const before = await look(at('src'));
    repository.write(file, 'changed');
    const after = await look(at('src'));
    for (const each of [pattern, ...same.map((one) => [one])]) {
      expect(after?.of(each), each.join()).not.toBe(before?.of(each));
      expect(after?.of(each), each.join()).toBe(after?.of(pattern));
    }
    expect(after?.of(['b.txt'])).toBe(before?.of(['b.txt']));
  });
});

describe('a repository in the repository', () => {
  it('has its own files in its place', async () => {
    nest('inner/one');
    repository.write('inner/one/x', 'x');
    gitIn(at('inner/one'), repository.home, ['add', '-A']);
    repository.write('inner/one/deep/y', 'y');
    repository.write('inner/z', 'z');
    expect(await repository.files()).toEqual({
      'a.txt': blob('one\n'),
      'inner/one/deep/y': blob('y'),
      'inner/one/x': blob('x'),
      'inner/z': blob('z'),
      'src/b.txt': blob('two\n'),
    });
  });

  it.each([
    [8, true],
    [9, false],
  ])('is looked into %d deep: %s', async (depth, isSo) => {
    const place = Array.from({ length: depth }, () => 'in');
    for (let count = 1; count <= depth; count++) nest(place.slice(0, count).join('/'));
    const last = `${place.join('/')}/x`;
    repository.write(last, 'x');
    const content = await look();
    expect(content === null ? null : Object.fromEntries(content.files())[last]).toBe(isSo ? blob('x') : null);
  });
});

describe('a submodule that is not checked out', () => {
  beforeEach(() => {
    const inner = nest('vendor/lib');
    repository.write('vendor/lib/x', 'x');
    gitIn(inner, repository.home, ['add', '-A']);
    gitIn(inner, repository.home, ['commit', '-qm', 'x']);
    repository.git('add', 'vendor/lib');
    repository.git('commit', '-qm', 'with a submodule');
    repository.remove('vendor/lib');
  });

  const rest = { 'a.txt': blob('one\n'), 'src/b.txt': blob('two\n') };

  it('is nothing', async () => {
    expect(await repository.files()).toEqual(rest);
    fs.mkdirSync(at('vendor/lib'), { recursive: true });
    expect(await repository.files()).toEqual(rest);
  });

  it('is what lies in its folder, but for what is git’s', async () => {
    repository.write('vendor/lib/hidden', 'h');
    repository.write('vendor/lib/deep/er/x', 'y');
    repository.write('vendor/lib/deep/.git/config', 'git');
    fs.symlinkSync('hidden', at('vendor/lib/link'));
    expect(await repository.files()).toEqual({
      ...rest,
      'vendor/lib/deep/er/x': blob('y'),
      'vendor/lib/hidden': blob('h'),
      'vendor/lib/link': blob('hidden'),
    });
  });

  it('is looked through up to 20,000 files and folders', async () => {
    const list = fs.readdirSync as (place: unknown, options: unknown) => unknown[];
    let names = 20_000;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((place: unknown, options: unknown) => {
      const found = list(place, options);
      // One name many times: as many files would take long.
      return String(place) === at('vendor/lib')
        ? Array(names - 1)
            .fill(found[0])
            .concat(found[1])
        : found;
    }) as typeof fs.readdirSync);
    repository.write('vendor/lib/last', 'x');
    fs.symlinkSync('nowhere', at('vendor/lib/a'));
    expect(Object.keys(await repository.files())).toContain('vendor/lib/last');
    names++;
    expect(await look()).toBeNull();
  });

  it.each([
    ['a file', () => repository.write('vendor/lib', 'file'), 'file'],
    [
      'a link',
      () => {
        fs.mkdirSync(at('vendor'), { recursive: true });
        fs.symlinkSync('../src', at('vendor/lib'));
      },
      '../src',
    ],
  ])('is %s in its place', async (_, put, content) => {
    put();
    expect(await repository.files()).toEqual({ ...rest, 'vendor/lib': blob(content) });
  });
});

describe('what git says of a file', () => {
  /** The index says of `a.txt` that it is as it was, though it is not. */
  function forge(): void {
    repository.write('a.txt', 'bad\n');
    repository.git('add', '-A');
    repository.age();
    const file = at('.git/index');
    const index = fs.readFileSync(file);
    const { atime, mtime } = fs.statSync(file);
    Buffer.from(blob('one\n'), 'hex').copy(index, index.indexOf(Buffer.from(blob('bad\n'), 'hex')));
    const body = index.subarray(0, -20);
    createHash('sha1').update(body).digest().copy(index, body.length);
    fs.writeFileSync(file, index);
    fs.utimesSync(file, atime, mtime);
  }

  it('is believed of what was changed and removed in a large one', async () => {
    repository.write('large', 'x');
    repository.git('add', '-A');
    fs.truncateSync(at('large'), 33 * 1024 * 1024);
    repository.write('a.txt', 'changed');
    repository.remove('src/b.txt');
    const files = await repository.files();
    expect(Object.keys(files).sort()).toEqual(['a.txt', 'large']);
    expect(files['a.txt']).toBe(blob('changed'));
    expect(files.large).not.toBe(blob('x'));
  });

  // Beside a.txt, src/b.txt and what they are together.
  it.each([
    [32 * 1024 * 1024 - 8, false],
    [32 * 1024 * 1024 - 7, true],
  ])('counts where there is more than 32 MB beside it: %d bytes, %s', async (bytes, counts) => {
    repository.write('large', '');
    fs.truncateSync(at('large'), bytes);
    forge();
    expect((await repository.files())['a.txt']).toBe(blob(counts ? 'one\n' : 'bad\n'));
  });

  it.each([
    [1998, false],
    [1999, true],
  ])('counts where there are more than 2,000 files: %d others, %s', async (others, counts) => {
    for (let count = 0; count < others; count++) repository.write(`many/${count}`, '');
    forge();
    expect((await repository.files())['a.txt']).toBe(blob(counts ? 'one\n' : 'bad\n'));
  });
});

describe('a failure', () => {
  const failWith = (error: Error): void => {
    const look = fs.lstatSync;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((place: Buffer | string, options: never) => {
      if (place.toString().endsWith('/a.txt')) throw error;
      return look(place, options);
    }) as typeof fs.lstatSync);
  };

  it('of the disk leaves the content unknown', async () => {
    failWith(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'lstat' }));
    expect(await look()).toBeNull();
  });

  it('of our own is one', async () => {
    failWith(new Error('a mistake'));
    await expect(look()).rejects.toThrow('a mistake');
  });

  it('that is no error at all is one, too', async () => {
    failWith('a text' as never);
    await expect(look()).rejects.toBe('a text');
  });
});
