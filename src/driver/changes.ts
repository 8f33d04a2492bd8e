// What a run changed in its repository, for the table at its end.

import { headOf, isId } from '../engine/changes/head.ts';
import { namesSince, repositoryHere } from '../engine/changes/names.ts';
import type { Environment } from '../store/environment.ts';

/** Null: nobody knows, as without git. */
export type Counted = { files: number | null; commits: number | null };

/** The commit that is checked out; null: there is none. */
export function commitOf(root: string, env: Environment): string | null {
  const head = headOf(root, env);
  return head !== null && isId(head) ? head : null;
}

/** Since that commit, in all of the repository. */
export async function changedSince(commit: string | null, root: string, env: Environment): Promise<Counted> {
  const here = commit === null ? null : repositoryHere(root, env);
  if (here === null) return { files: null, commits: null };
  const { git, top, folders } = here;
  const range = `${commit}..${commitOf(root, env)}`;
  const [names, commits] = await Promise.all([
    namesSince(here, commit),
    git(['rev-list', '--count', range], top, folders),
  ]);
  return {
    files: names === null ? null : names.changed.length + names.added.length,
    commits: commits === null ? null : Number(commits.toString('latin1')),
  };
}
