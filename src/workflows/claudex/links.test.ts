import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { filesOf, type StateDir, stateDirOf } from './files.ts';
import { foldersFor, targetsOf } from './links.ts';

let root: string;
let dir: StateDir;
beforeEach(() => {
  root = emptyFolder();
  dir = stateDirOf({ root, env: {} });
});
const at = (...names: readonly string[]): string => path.join(root, ...names);
const moved = (to: string): StateDir => stateDirOf({ root, env: { CLAUDEX_STATE_DIR: to } });

describe('the folders that a start leads to writes in', () => {
  it('are those on the way to the loops, and reviews/ for a review', () => {
    expect(foldersFor(dir, 'plan')).toEqual([at('.claude'), at('.claude/claudex')]);
    expect(foldersFor(dir, 'review')).toEqual([at('.claude'), at('.claude/claudex'), at('reviews')]);
  });

  it('are none of those that the user chose outside of the project', () => {
    expect(foldersFor(moved('../shared'), 'plan')).toEqual([]);
    expect(foldersFor(moved('../shared'), 'review')).toEqual([at('reviews')]);
  });

  it('are those below where a way from outside comes into the project', () => {
    const back = path.join(path.dirname(root), 'back');
    fs.symlinkSync(root, back);
    expect(foldersFor(moved('../back/a/b'), 'plan')).toEqual([path.join(back, 'a'), path.join(back, 'a/b')]);
    expect(foldersFor(moved('.'), 'plan')).toEqual([]);
  });
});

describe('what a runner and its reviewer write', () => {
  it('is of a plan its findings, of a review two files', () => {
    const files = filesOf(dir, 'ID');
    const own = [files.runner, files.prompt, files.heartbeat, files.exit(2), files.output(2)];
    expect(targetsOf(dir, files, 'plan', 2)).toEqual({
      folders: [at('.claude'), at('.claude/claudex'), files.folder],
      files: [...own, files.findings(2)],
    });
    expect(targetsOf(dir, files, 'review', 2)).toEqual({
      folders: [at('.claude'), at('.claude/claudex'), at('reviews'), files.folder],
      files: [...own, files.review, files.proposedFixes],
    });
  });
});
