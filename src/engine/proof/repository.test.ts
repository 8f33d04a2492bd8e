import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { repositoryOf } from './repository.ts';

let trusted: TempProject;
/** Where somebody unpacked an archive. */
let unpacked: string;

beforeEach(() => {
  trusted = tempProject('trusted');
  unpacked = path.join(path.dirname(trusted.root), 'unpacked');
  fs.mkdirSync(unpacked);
});
afterEach(() => {
  vi.restoreAllMocks();
  trusted.remove();
});

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', trusted.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    encoding: 'utf8',
  });
const common = (): string => path.join(trusted.root, '.git');

function worktree(...args: string[]): string {
  git('commit', '--quiet', '--allow-empty', '-m', 'x');
  const folder = path.join(path.dirname(trusted.root), 'worktree');
  git('worktree', 'add', '--quiet', ...args, folder);
  return folder;
}

describe('the repository', () => {
  it('is the git dir', () => {
    expect(repositoryOf(trusted.root)).toBe(common());
  });

  it('is the same in a worktree', () => {
    expect(repositoryOf(worktree())).toBe(common());
  });

  it('is the same in a worktree with relative paths', () => {
    const folder = worktree();
    const gitDir = path.join(common(), 'worktrees/worktree');
    fs.writeFileSync(path.join(folder, '.git'), `gitdir: ${path.relative(folder, gitDir)}\n`);
    fs.writeFileSync(path.join(gitDir, 'gitdir'), `${path.relative(gitDir, path.join(folder, '.git'))}\n`);

    expect(repositoryOf(folder)).toBe(common());
  });

  it('has a name of its own for each folder in it, the same in a worktree', () => {
    const folder = worktree();
    for (const each of [trusted.root, folder])
      fs.mkdirSync(path.join(each, 'packages/a'), { recursive: true });

    expect(repositoryOf(path.join(trusted.root, 'packages/a'))).toBe(`${common()}#packages/a`);
    expect(repositoryOf(path.join(folder, 'packages/a'))).toBe(`${common()}#packages/a`);
  });

  it.each<[string, (gitDir: string, folder: string) => void]>([
    ['names no worktree', (gitDir) => fs.rmSync(path.join(gitDir, 'gitdir'))],
    [
      'has a folder in the place of that name',
      (gitDir) => {
        fs.rmSync(path.join(gitDir, 'gitdir'));
        fs.mkdirSync(path.join(gitDir, 'gitdir'));
      },
    ],
    [
      'names another worktree',
      (gitDir) => fs.writeFileSync(path.join(gitDir, 'gitdir'), `${trusted.root}/.git\n`),
    ],
    [
      'names it after an empty line',
      (gitDir, folder) => fs.writeFileSync(path.join(gitDir, 'gitdir'), `\n${folder}/.git`),
    ],
    ['names no repository', (gitDir) => fs.rmSync(path.join(gitDir, 'commondir'))],
    ['names another repository', (gitDir) => fs.writeFileSync(path.join(gitDir, 'commondir'), '..\n')],
    ['has no HEAD above it', () => fs.rmSync(path.join(common(), 'HEAD'))],
    ['has no objects above it', () => fs.rmSync(path.join(common(), 'objects'), { recursive: true })],
    ['is gone', (gitDir) => fs.rmSync(gitDir, { recursive: true })],
    [
      'is named with more before it',
      (gitDir, folder) => fs.writeFileSync(path.join(folder, '.git'), `a gitdir: ${gitDir}\n`),
    ],
    [
      'is named with another line below it',
      (gitDir, folder) => fs.writeFileSync(path.join(folder, '.git'), `gitdir: ${gitDir}\n\n`),
    ],
  ])('is the worktree itself where its git dir %s', (_, change) => {
    const folder = worktree();
    expect(repositoryOf(folder)).toBe(common());
    change(path.join(common(), 'worktrees/worktree'), folder);

    expect(repositoryOf(folder)).toBe(folder);
  });

  it('is read from a .git file of up to 4096 bytes, with or without a line’s end', () => {
    const folder = worktree();
    const [head, tail] = ['gitdir: ', path.join(common(), 'worktrees/worktree')];
    const put = (length: number, end: string): void =>
      fs.writeFileSync(
        path.join(folder, '.git'),
        `${head}${'/'.repeat(length - head.length - tail.length - end.length)}${tail}${end}`,
      );
    for (const end of ['', '\n']) {
      put(4096, end);
      expect(repositoryOf(folder)).toBe(common());
      put(4097, end);
      expect(repositoryOf(folder)).toBe(folder);
    }
  });

  it('is the folder itself where its .git file may not be read', () => {
    const folder = worktree();
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    });

    expect(repositoryOf(folder)).toBe(folder);
  });

  it('is not guessed where the disk does not tell', () => {
    expect(() => repositoryOf(path.join(trusted.root, 'x'.repeat(300)))).toThrow('ENAMETOOLONG');
  });

  it('is the one above a folder that is not there, or is a file', () => {
    trusted.write('file', 'x');
    expect(repositoryOf(path.join(trusted.root, 'none'))).toBe(`${common()}#none`);
    expect(repositoryOf(path.join(trusted.root, 'file'))).toBe(`${common()}#file`);
  });

  it('is the folder itself without git', () => {
    expect(repositoryOf(unpacked)).toBe(unpacked);
  });

  it('is the folder itself for a submodule and a separate git dir', () => {
    fs.writeFileSync(path.join(unpacked, '.git'), `gitdir: ${common()}\n`);

    expect(repositoryOf(unpacked)).toBe(unpacked);
  });
});

describe('what an archive brings does not make it a repository that the user trusts', () => {
  test.each<[string, () => void]>([
    ['a link to its git dir', () => fs.symlinkSync(common(), path.join(unpacked, '.git'))],
    [
      'a link to a worktree’s .git file',
      () => fs.symlinkSync(path.join(worktree(), '.git'), path.join(unpacked, '.git')),
    ],
    [
      'a copy of a worktree’s .git file',
      () => fs.copyFileSync(path.join(worktree(), '.git'), path.join(unpacked, '.git')),
    ],
    [
      'a git dir of its own that points back and names the other’s common dir',
      () => {
        const gitDir = path.join(unpacked, 'fake/worktrees/x');
        fs.mkdirSync(gitDir, { recursive: true });
        fs.writeFileSync(path.join(unpacked, '.git'), `gitdir: ${gitDir}\n`);
        fs.writeFileSync(path.join(gitDir, 'gitdir'), `${path.join(unpacked, '.git')}\n`);
        fs.writeFileSync(path.join(gitDir, 'commondir'), `${common()}\n`);
      },
    ],
    [
      'a link among its own worktrees to one of the other’s',
      () => {
        const other = worktree();
        fs.mkdirSync(path.join(unpacked, 'fake/worktrees'), { recursive: true });
        fs.symlinkSync(path.join(common(), 'worktrees/worktree'), path.join(unpacked, 'fake/worktrees/x'));
        fs.writeFileSync(path.join(unpacked, '.git'), 'gitdir: fake/worktrees/x\n');
        expect(repositoryOf(other)).toBe(common());
      },
    ],
    ['nonsense', () => fs.writeFileSync(path.join(unpacked, '.git'), `gitdir: \0\n${'x'.repeat(100)}`)],
    [
      'a .git file without end',
      () => fs.writeFileSync(path.join(unpacked, '.git'), `gitdir: ${'x'.repeat(9999)}`),
    ],
    ['a name that no file has', () => fs.writeFileSync(path.join(unpacked, '.git'), 'gitdir: a\0b\n')],
    ['a FIFO', () => execFileSync('mkfifo', [path.join(unpacked, '.git')])],
  ])('%s', (_, bring) => {
    bring();

    expect(repositoryOf(unpacked)).toBe(unpacked);
  });

  it('a commondir file in its git dir', () => {
    execFileSync('git', ['init', '--quiet', unpacked]);
    fs.writeFileSync(path.join(unpacked, '.git/commondir'), `${common()}\n`);

    expect(repositoryOf(unpacked)).toBe(path.join(unpacked, '.git'));
  });

  it.each(['worktrees/x', 'a/b'])('a place below a folder without git that is trusted: %s', (place) => {
    const inner = path.join(unpacked, place);
    fs.mkdirSync(inner, { recursive: true });
    fs.writeFileSync(path.join(inner, '.git'), 'gitdir: .\n');
    fs.writeFileSync(path.join(inner, 'gitdir'), '.git\n');
    fs.writeFileSync(path.join(inner, 'commondir'), '../..\n');

    expect(repositoryOf(inner)).toBe(inner);
  });
});
