// Names of the files that differ from a commit, and of those that git does not know yet. Nothing of the repository's is
// run: its settings may be an agent's, and may change between a look at them and git's own.

import type { Environment } from '../../store/environment.ts';
import { type Git, ignoredBy, safeGit } from '../proof/git.ts';
import type { GitFolders } from '../proof/git-folders.ts';
import { EMPTY_TREE, headIn, NO_COMMIT_YET, workTreeOf } from './head.ts';

export type Names = {
  /** From the top of the work tree on. */
  changed: string[];
  added: string[];
};

export type Repository = { git: Git; top: string; folders: GitFolders; root: string; env: Environment };

/** Null: there is none, or git cannot tell. */
export function repositoryHere(root: string, env: Environment): Repository | null {
  const [tree, git] = [workTreeOf(root, env), safeGit(env, root)];
  // An index in two parts is looked for in git's folder, which is not the repository's own here (git.ts).
  return tree === null || git === null || tree.folders.split ? null : { git, ...tree, root, env };
}

/** `byFolder`: a folder in which git knows nothing stands for all that is in it. */
export type NamesOptions = { signal?: AbortSignal; byFolder?: true };

/** `since`: a commit's id; null: the last one. */
export async function namesSince(
  { git, top, folders, root, env }: Repository,
  since: string | null,
  { signal, byFolder }: NamesOptions = {},
): Promise<Names | null> {
  const head = since ?? headIn(folders);
  if (head === null) return null;
  const from = head === NO_COMMIT_YET ? EMPTY_TREE[folders.hash] : head;
  const ask = async (args: readonly string[]): Promise<string[] | null> => {
    const list = await git(args, top, folders, signal === undefined ? {} : { signal });
    return list?.toString('utf8').split('\0').slice(0, -1) ?? null;
  };
  const [changed, added] = await Promise.all([
    ask([...DIFF, from, '--']),
    ignoredBy(folders, env, root).then((ignored) =>
      ask(['ls-files', '--others', '-z', ...(byFolder ? BY_FOLDER : []), ...ignored]),
    ),
  ]);
  return changed === null || added === null ? null : { changed, added };
}

const BY_FOLDER = ['--directory', '--no-empty-directory'];

/** Git would look into a submodule with the settings that it has there. */
const DIFF = [
  ...['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-renames'],
  '--ignore-submodules=dirty',
];
