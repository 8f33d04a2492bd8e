// What a run changed in its repository, for the table at its end. Git is asked as at a claim: its agent may have written
// the settings of a repository, and neither they nor a program of its making are for us to run.

import path from 'node:path';
import { headOf, isId, workTreeOf } from '../engine/changes/head.ts';
import { ignoredBy, safeGit } from '../engine/proof/git.ts';
import type { Environment } from '../store/environment.ts';

/** Null: nobody knows, as without git. */
export type Counted = { files: number | null; commits: number | null };

const UNKNOWN: Counted = { files: null, commits: null };

/** The commit that is checked out; null: there is none. */
export function commitOf(root: string, env: Environment): string | null {
  const head = headOf(root, env);
  return head !== null && isId(head) ? head : null;
}

/** All of the repository that git knows, and what is new below the root. */
export async function changedSince(commit: string | null, root: string, env: Environment): Promise<Counted> {
  const [tree, git] = commit === null ? [null, null] : [workTreeOf(root, env), safeGit(env, root)];
  if (commit === null || tree === null || git === null) return UNKNOWN;
  const { top, folders } = tree;
  const head = commitOf(root, env);
  const ask = async (args: readonly string[]): Promise<string | null> =>
    (await git(args, top, folders))?.toString('latin1') ?? null;
  const [changed, added, commits] = await Promise.all([
    // Git would look into a submodule with the settings that it has there.
    ask([...DIFF, commit, '--']),
    ignoredBy(folders, env, root).then((ignored) => {
      const below = path.posix.relative(top, root);
      return ask(['ls-files', '--others', '-z', ...ignored, '--', ...(below === '' ? [] : [below])]);
    }),
    head === null ? null : ask(['rev-list', '--count', `${commit}..${head}`]),
  ]);
  return {
    files: changed === null ? null : namesIn(changed) + namesIn(added ?? ''),
    commits: commits === null ? null : Number(commits),
  };
}

const DIFF = ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];

const namesIn = (list: string): number => list.split('\0').length - 1;
