// The commit that a project's work tree is at, read without running git. A hook asks for it under the lock, when an
// agent is sent to its next task.

import fs from 'node:fs';
import type { Environment } from '../../store/environment.ts';
import { openOwn, readAll } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import { wayUp } from '../project.ts';
import { type GitFolders, gitFoldersOf } from '../proof/git-folders.ts';

/** An object's id, or that the repository had no commit yet. */
export type CommitId = string;

export const NO_COMMIT_YET = 'none';

/** Git knows them without an object. */
export const EMPTY_TREE: Readonly<Record<GitFolders['hash'], string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** The top of the work tree that `root` is in, and where git keeps its things; null: there is no git here. */
export function workTreeOf(root: string, env: Environment): { top: string; folders: GitFolders } | null {
  const top = wayUp(root, env).at(-1);
  if (top === undefined || !fs.existsSync(below(top, '.git'))) return null;
  const folders = gitFoldersOf(top);
  return folders === null ? null : { top, folders };
}

/** Null: nobody can tell, as without git, or where refs are kept in a form of their own (reftable). */
export function headOf(root: string, env: Environment): CommitId | null {
  try {
    const tree = workTreeOf(root, env);
    return tree === null ? null : headIn(tree.folders);
  } catch {
    // Whatever is wrong with that folder is git's to say; a review does without.
    return null;
  }
}

export function headIn({ own, common }: GitFolders): CommitId | null {
  const head = read(below(own, 'HEAD'))?.trim();
  if (head === undefined) return null;
  if (isId(head)) return head;
  const branch = /^ref: (refs\/heads\/[^\0\n]+)$/.exec(head)?.[1];
  // The second is what stands there in a repository that keeps its refs in another form.
  if (branch === undefined || branch === 'refs/heads/.invalid' || branch.split('/').includes('..'))
    return null;
  const loose = read(below(common, branch))?.trim();
  if (loose !== undefined) return isId(loose) ? loose : null;
  const packed = read(below(common, 'packed-refs'));
  if (packed === undefined) return NO_COMMIT_YET;
  const line = packed.split('\n').find((each) => each.endsWith(` ${branch}`));
  const id = line?.slice(0, -` ${branch}`.length);
  if (id === undefined) return NO_COMMIT_YET;
  return isId(id) ? id : null;
}

/** From a record of ours, which may be somebody else's by now. */
export function asCommitId(value: unknown): CommitId | null {
  return typeof value === 'string' && (value === NO_COMMIT_YET || isId(value)) ? value : null;
}

export const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

const READ_AT_MOST = 64 * 1024 * 1024;

/** Undefined: there is none. One that cannot be read is an error: it may have the very line. */
function read(file: string): string | undefined {
  const descriptor = openOwn(file);
  if (descriptor === null) return undefined;
  try {
    if (fs.fstatSync(descriptor).size > READ_AT_MOST) throw new Error(`${file} is too large`);
    return readAll(descriptor).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}
