import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { atTheEnd } from '../../../test/support/at-the-end.ts';
import { tempProject } from '../../../test/support/project.ts';
import { modifiedFiles } from './modified-files.ts';

let root: string;
let env: Record<string, string | undefined>;
let write: (file: string, content: string) => string;
beforeEach(() => {
  const project = tempProject('project', { emptyHome: true });
  atTheEnd(() => project.remove());
  ({ root, write } = project);
  env = { PATH: process.env.PATH, HOME: project.home };
});
const git = (...args: string[]): void =>
  void execFileSync('git', ['-C', root, ...args], { env, stdio: 'ignore' });
const configure = (file: string, text: string): void => fs.appendFileSync(file, text);
const ofProject = (): string => path.join(root, '.git/config');

describe('the files that differ from the last commit', () => {
  it('are those that are new, without what the loop itself writes', () => {
    for (const file of ['a.txt', 'x.jwz/b', 'jwz/c', 'it is ü.md', '.claude/idle-loop.local.mdx'])
      write(file, 'x');
    for (const file of ['.jwz/messages.jsonl', '.holdfast/lock', '.claude/idle-loop.local.md'])
      write(file, 'x');
    git('add', '.');
    expect(modifiedFiles(root, env)).toEqual([
      '.claude/idle-loop.local.mdx',
      'a.txt',
      'it is ü.md',
      'jwz/c',
      'x.jwz/b',
    ]);
  });

  it('are none where nothing differs, and thirty at most', () => {
    expect(modifiedFiles(root, env)).toEqual([]);
    for (let number = 10; number < 41; number++) write(`f${number}`, 'x');
    expect(modifiedFiles(root, env)).toEqual(Array.from({ length: 30 }, (_, index) => `f${index + 10}`));
  });

  it('are a moved file by its old and its new name', () => {
    write('old.txt', 'one\ntwo\nthree\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
    git('mv', 'old.txt', 'new.txt');
    expect(modifiedFiles(root, env)).toEqual(['new.txt', 'old.txt']);
  });

  it('are not known where git cannot tell', () => {
    expect(modifiedFiles(root, { ...env, PATH: root })).toBeNull();
    expect(modifiedFiles(path.join(root, 'nowhere'), env)).toBeNull();
  });

  it('are not asked for where a filter came with the folder', () => {
    configure(ofProject(), '[filter "x"]\n\tclean = false\n');
    expect(modifiedFiles(root, env)).toBeNull();
  });

  it('are not asked for where a filter came with the working tree', () => {
    configure(ofProject(), '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n');
    configure(path.join(root, '.git/config.worktree'), '[filter "x"]\n\tclean = false\n');
    expect(modifiedFiles(root, env)).toBeNull();
  });

  it('are, where the user’s own config has one, or the folder’s has something else', () => {
    configure(path.join(env.HOME ?? '', '.gitconfig'), '[filter "x"]\n\tclean = cat\n');
    configure(ofProject(), '[my]\n\tfilter = x\n');
    write('a.txt', 'x');
    expect(modifiedFiles(root, env)).toEqual(['a.txt']);
  });

  it('are asked for without a monitor that came with the folder', () => {
    const mark = path.join(root, '.git/ran');
    configure(ofProject(), `[core]\n\tfsmonitor = touch ${mark}\n`);
    write('a.txt', 'x');
    expect(modifiedFiles(root, env)).toEqual(['a.txt']);
    expect(fs.existsSync(mark)).toBe(false);
  });

  it('are asked for without looking into a submodule', () => {
    const inner = path.join(root, 'inner');
    execFileSync('git', ['init', '--quiet', inner], { env });
    const commit = [
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    ];
    execFileSync('git', ['-C', inner, ...commit], { env });
    git('add', 'inner');
    git(...commit);
    fs.writeFileSync(path.join(inner, 'new.txt'), 'x');
    expect(modifiedFiles(root, env)).toEqual([]);
  });
});
