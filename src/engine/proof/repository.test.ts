import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeRepository, type Repository } from '../../../test/proof/repository.ts';
import { repositoryOf } from './repository.ts';

let trusted: Repository;
let common: string;
let tree: string;
/** The git dir of that worktree. */
let own: string;
/** Where somebody unpacked an archive. */
let unpacked: string;
beforeEach(() => {
  trusted = makeRepository();
  common = path.join(trusted.root, '.git');
  [tree, unpacked] = ['tree', 'unpacked'].map((name) => path.join(trusted.folder, name)) as [string, string];
  own = path.join(common, 'worktrees/tree');
  fs.mkdirSync(unpacked);
  trusted.git('commit', '-q', '--allow-empty', '-m', 'x');
  trusted.git('worktree', 'add', '-q', tree);
});
afterEach(() => {
  vi.restoreAllMocks();
  trusted.end();
});
const put = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

it('the repository is its git dir, the same in a worktree, with a name of its own for each folder in it', () => {
  expect([trusted.root, tree].map(repositoryOf)).toEqual([common, common]);
  put(path.join(tree, '.git'), `gitdir: ${path.relative(tree, own)}\n`);
  put(path.join(own, 'gitdir'), `${path.relative(own, path.join(tree, '.git'))}\n`);
  expect(repositoryOf(tree)).toBe(common);
  for (const root of [trusted.root, tree]) {
    put(path.join(root, 'packages/a'), 'x');
    expect(repositoryOf(path.join(root, 'packages/a'))).toBe(`${common}#packages/a`);
    expect(repositoryOf(path.join(root, 'none'))).toBe(`${common}#none`);
  }
  expect(repositoryOf(unpacked)).toBe(unpacked);
  expect(() => repositoryOf(path.join(trusted.root, 'x'.repeat(300)))).toThrow('ENAMETOOLONG');
});

it.each<[string, () => void]>([
  ['names no worktree', () => fs.rmSync(path.join(own, 'gitdir'))],
  ['names another worktree', () => put(path.join(own, 'gitdir'), `${trusted.root}/.git\n`)],
  ['names it after an empty line', () => put(path.join(own, 'gitdir'), `\n${tree}/.git`)],
  ['names no repository', () => fs.rmSync(path.join(own, 'commondir'))],
  ['names another repository', () => put(path.join(own, 'commondir'), '..\n')],
  ['has no HEAD above it', () => fs.rmSync(path.join(common, 'HEAD'))],
  ['has no objects above it', () => fs.rmSync(path.join(common, 'objects'), { recursive: true })],
  ['is gone', () => fs.rmSync(own, { recursive: true })],
  ['is named with more before it', () => put(path.join(tree, '.git'), `a gitdir: ${own}\n`)],
  ['is named with another line below it', () => put(path.join(tree, '.git'), `gitdir: ${own}\n\n`)],
  [
    'may not be read',
    () =>
      void vi.spyOn(fs, 'openSync').mockImplementation(() => {
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      }),
  ],
])('the repository of a worktree is the worktree itself where its git dir %s', (_, change) => {
  change();
  expect(repositoryOf(tree)).toBe(tree);
});

it('a .git file is read up to 4096 bytes', () => {
  for (const [length, found] of [
    [4096, common],
    [4097, tree],
  ] as const) {
    put(path.join(tree, '.git'), `gitdir: ${'/'.repeat(length - own.length - 'gitdir: '.length)}${own}`);
    expect(repositoryOf(tree)).toBe(found);
  }
});

it.each<[string, () => unknown]>([
  ['a link to its git dir', () => fs.symlinkSync(common, path.join(unpacked, '.git'))],
  ['a .git file that names its git dir', () => put(path.join(unpacked, '.git'), `gitdir: ${common}\n`)],
  [
    'a link to a worktree’s .git file',
    () => fs.symlinkSync(path.join(tree, '.git'), path.join(unpacked, '.git')),
  ],
  ['a copy of it', () => fs.copyFileSync(path.join(tree, '.git'), path.join(unpacked, '.git'))],
  [
    'a git dir that points back and names the other’s common dir',
    () => {
      const fake = path.join(unpacked, 'fake/worktrees/x');
      put(path.join(fake, 'gitdir'), `${path.join(unpacked, '.git')}\n`);
      put(path.join(fake, 'commondir'), `${common}\n`);
      put(path.join(unpacked, '.git'), `gitdir: ${fake}\n`);
    },
  ],
  [
    'a link among its worktrees to one of the other’s',
    () => {
      fs.mkdirSync(path.join(unpacked, 'fake/worktrees'), { recursive: true });
      fs.symlinkSync(own, path.join(unpacked, 'fake/worktrees/x'));
      put(path.join(unpacked, '.git'), 'gitdir: fake/worktrees/x\n');
    },
  ],
  ['a name that no file has', () => put(path.join(unpacked, '.git'), 'gitdir: a\0b\n')],
  ['a FIFO', () => execFileSync('mkfifo', [path.join(unpacked, '.git')])],
])('what an archive brings does not make it a repository that the user trusts: %s', (_, bring) => {
  bring();
  expect(repositoryOf(unpacked)).toBe(unpacked);
});

it('neither does a commondir in its git dir, nor a place below a folder without git', () => {
  execFileSync('git', ['init', '--quiet', unpacked]);
  put(path.join(unpacked, '.git/commondir'), `${common}\n`);
  expect(repositoryOf(unpacked)).toBe(path.join(unpacked, '.git'));
  const inner = path.join(trusted.home, 'a/b');
  put(path.join(inner, '.git'), 'gitdir: .\n');
  put(path.join(inner, 'gitdir'), '.git\n');
  put(path.join(inner, 'commondir'), '../..\n');
  expect(repositoryOf(inner)).toBe(inner);
});
