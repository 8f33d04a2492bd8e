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
  it('are those that are new, without what the loop itself writes', async () => {
    for (const file of ['a.txt', 'x.jwz/b', 'jwz/c', 'it is ü.md', '.claude/idle-loop.local.mdx'])
      write(file, 'x');
    for (const file of ['.jwz/messages.jsonl', '.holdfast/lock', '.claude/idle-loop.local.md'])
      write(file, 'x');
    git('add', '.');
    expect(await modifiedFiles(root, env)).toEqual([
      '.claude/idle-loop.local.mdx',
      'a.txt',
      'it is ü.md',
      'jwz/c',
      'x.jwz/b',
    ]);
  });

  it('are none where nothing differs, and thirty at most', async () => {
    expect(await modifiedFiles(root, env)).toEqual([]);
    for (let number = 10; number < 41; number++) write(`f${number}`, 'x');
    expect(await modifiedFiles(root, env)).toEqual(
      Array.from({ length: 30 }, (_, index) => `f${index + 10}`),
    );
  });

  it('are a moved file by its old and its new name', async () => {
    write('old.txt', 'one\ntwo\nthree\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
    git('mv', 'old.txt', 'new.txt');
    expect(await modifiedFiles(root, env)).toEqual(['new.txt', 'old.txt']);
  });

  it('are not known where git cannot tell', async () => {
    expect(await modifiedFiles(root, { ...env, PATH: root })).toBeNull();
    expect(await modifiedFiles(path.join(root, 'nowhere'), env)).toBeNull();
  });

  it.each(['config', 'config.worktree', '../included'])(
    'are told without a filter that %s of the folder names',
    async (place) => {
      const mark = path.join(root, '.git/ran');
      const filter = `[filter "x"]\n\tclean = "touch ${mark}; cat"\n`;
      write('a.txt', 'x');
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'x');
      configure(ofProject(), '[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ../included\n');
      configure(path.join(root, '.git', place), filter);
      write('.gitattributes', '* filter=x\n');
      write('a.txt', 'y');
      expect(await modifiedFiles(root, env)).toContain('a.txt');
      expect(fs.existsSync(mark)).toBe(false);
    },
  );

  it('are asked for without a monitor that came with the folder', async () => {
    const mark = path.join(root, '.git/ran');
    configure(ofProject(), `[core]\n\tfsmonitor = touch ${mark}\n`);
    write('a.txt', 'x');
    expect(await modifiedFiles(root, env)).toEqual(['a.txt']);
    expect(fs.existsSync(mark)).toBe(false);
  });

  it('are asked for without looking into a submodule', async () => {
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
    expect(await modifiedFiles(root, env)).toEqual([]);
  });
});
