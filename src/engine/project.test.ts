import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { folderForNewRun, foldersWithRuns } from './project.ts';
import { refuseUnnamable } from './session-root.ts';

const traces = ['.toy', '.claude/claudex'];

let folder: string;
let home: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-project-')));
  home = make('home/user');
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

/** Makes folders and answers with the path of the first. */
function make(...names: readonly string[]): string {
  for (const name of names) fs.mkdirSync(at(name), { recursive: true });
  return at(names[0] ?? '');
}

const found = (start: string, env = { HOME: home }): string[] =>
  foldersWithRuns(start, traces, env).map((each) => path.relative(folder, each));
const fresh = (start: string, env = { HOME: home }): string =>
  path.relative(folder, folderForNewRun(start, traces, env));

describe('folders with runs', () => {
  it('are looked for from the start upward, nearest first', () => {
    make('p/.git', 'p/.toy', 'p/a/b/c', 'p/a/b/.claude/claudex');

    expect(found(at('p/a/b/c'))).toEqual(['p/a/b', 'p']);
    expect(found(at('p'))).toEqual(['p']);
  });

  it('are not looked for above the first folder with .git', () => {
    make('.toy', 'p/.git', 'p/a');

    expect(found(at('p/a'))).toEqual([]);
  });

  it('are not looked for above a worktree or submodule, whose .git is a file', () => {
    make('p/.git', 'p/.toy', 'p/worktree/a', 'p/worktree/.toy');
    fs.writeFileSync(at('p/worktree/.git'), 'gitdir: ../.git/worktrees/worktree\n');

    expect(found(at('p/worktree/a'))).toEqual(['p/worktree']);
  });

  it('of a real worktree are its own', () => {
    make('p/.toy', 'p/a');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: at('p'),
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '--quiet', 'inside', 'HEAD', '--detach');

    expect(found(at('p/inside'))).toEqual([]);
    expect(fresh(at('p/inside'))).toBe('p/inside');
  });

  it('are found from the physical place of a linked folder', () => {
    make('p/.git', 'p/.toy', 'p/a', 'elsewhere/.toy');
    fs.symlinkSync(at('p/a'), at('elsewhere/link'));

    expect(found(at('elsewhere/link'))).toEqual(['p']);
  });

  it('are none where there is no such folder', () => {
    expect(found(at('missing'))).toEqual([]);
  });

  it('need a trace, whether a file or a folder', () => {
    make('p/.git', 'p/.claude');
    expect(found(at('p'))).toEqual([]);

    fs.writeFileSync(at('p/.toy'), '');
    expect(found(at('p'))).toEqual(['p']);
  });
});

describe('HOME and what is above it', () => {
  it('belong to no project below', () => {
    make('home/user/.toy', 'home/.toy', '.toy', 'home/user/p/a', 'home/user/p/.toy');

    expect(found(at('home/user/p/a'))).toEqual(['home/user/p']);
  });

  it('are not reached even when HOME is a git repository', () => {
    make('home/user/.git', 'home/user/.toy', 'home/user/a');

    expect(found(at('home/user/a'))).toEqual([]);
    expect(fresh(at('home/user/a'))).toBe('home/user/a');
  });

  it('are a project when the client was started right there', () => {
    make('home/user/.toy', 'home/.toy');

    expect(found(at('home/user'))).toEqual(['home/user']);
    expect(found(at('home'))).toEqual(['home']);
  });

  it('are recognised through links and trailing slashes', () => {
    make('home/user/.toy', 'home/user/a');
    fs.symlinkSync(home, at('linked-home'));

    expect(found(at('home/user/a'), { HOME: at('linked-home') })).toEqual([]);
    expect(found(at('home/user/a'), { HOME: `${home}/` })).toEqual([]);
    expect(found(at('linked-home/a'))).toEqual([]);
  });

  it('do not hide a project beside them whose name begins alike', () => {
    make('home/user-two/.toy', 'home/user-two/a', 'home/us/.toy', 'home/us/a');

    expect(found(at('home/user-two/a'))).toEqual(['home/user-two']);
    expect(found(at('home/us/a'))).toEqual(['home/us']);
  });

  test.each([undefined, '', '/no/such/home'])('may be unknown (%j): then .git alone ends the way', (HOME) => {
    make('p/.git', 'p/.toy', 'p/a');

    expect(foldersWithRuns(at('p/a'), traces, { HOME })).toEqual([at('p')]);
  });
});

describe('a new run', () => {
  it('goes to the nearest folder that has runs', () => {
    make('p/.git', 'p/.toy', 'p/a/.toy', 'p/a/b');

    expect(fresh(at('p/a/b'))).toBe('p/a');
  });

  it('goes to the git top level where there are none', () => {
    make('p/.git', 'p/a/b');

    expect(fresh(at('p/a/b'))).toBe('p');
  });

  it('goes where we are outside any repository, by its physical path', () => {
    make('home/user/p/a');
    fs.symlinkSync(at('home/user/p/a'), at('link'));

    expect(fresh(at('home/user/p/a'))).toBe('home/user/p/a');
    expect(fresh(at('link'))).toBe('home/user/p/a');
  });

  it('goes to HOME only when we are there', () => {
    make('home/user/a');

    expect(fresh(home)).toBe('home/user');
    expect(fresh(at('home/user/a'))).toBe('home/user/a');
  });
});

test('a folder whose name is no UTF-8 is refused, and one that is really named so is not', () => {
  expect(() => refuseUnnamable(at('caf\uFFFD'))).toThrow(/no UTF-8/);
  expect(() => refuseUnnamable(make('caf\uFFFD'))).not.toThrow();
  expect(() => refuseUnnamable(at('missing'))).not.toThrow();
});
