// Which repository a project belongs to, so that trust and receipts are shared by its worktrees. Read without running
// git, and without believing a folder that only says it belongs to a repository which the user trusts.

import fs from 'node:fs';
import path from 'node:path';
import { hasCode, realPath } from '../../store/files.ts';
import { openOwn, readAll } from '../../store/open.ts';
import { below } from '../../store/paths.ts';

const READ_AT_MOST = 4096;

/**
 * The real path of the git common dir; with `#` and the way down to a root that is not the top of its worktree. Without
 * git, or where the repository does not know the worktree, the root itself. `root` is a real path.
 */
export function repositoryOf(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const git = below(folder, '.git');
    const found = statOf(git);
    if (found !== null) {
      const common = found.isDirectory() ? git : found.isFile() ? commonOfWorktree(git) : null;
      if (common === null) return root;
      return folder === root ? common : `${common}#${path.relative(folder, root)}`;
    }
    if (folder === path.dirname(folder)) return root;
  }
}

/** Not through a link: an archive may bring one to another repository in the place of its own. */
function statOf(file: string): fs.Stats | null {
  try {
    return fs.lstatSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}

/**
 * Of `.git` as a file. The git dir it names must lie two folders below the common dir and point back to it: an
 * archive can bring a `.git` file that points anywhere, and a git dir of its own that names any common dir.
 */
function commonOfWorktree(file: string): string | null {
  const named = /^gitdir: (.+?)\n?$/.exec(textOf(file) ?? '')?.[1];
  const gitDir = named === undefined ? null : realOrNone(path.resolve(path.dirname(file), named));
  if (gitDir === null) return null;
  const common = path.dirname(path.dirname(gitDir));
  if (!isGitDir(common)) return null;
  return pointsTo(gitDir, 'gitdir', file) && pointsTo(gitDir, 'commondir', common) ? common : null;
}

/** Not just a folder above: one without git may be trusted by its own name. */
function isGitDir(folder: string): boolean {
  return (
    statOf(below(folder, 'HEAD'))?.isFile() === true &&
    statOf(below(folder, 'objects'))?.isDirectory() === true
  );
}

function pointsTo(gitDir: string, name: string, target: string): boolean {
  const text = textOf(below(gitDir, name))?.replace(/\n$/, '');
  return text !== undefined && text !== '' && realOrNone(path.resolve(gitDir, text)) === target;
}

/** What stands in these files may be anything: a name that no file can have, links in circles. */
function realOrNone(file: string): string | null {
  try {
    return realPath(file);
  } catch {
    return null;
  }
}

/** Null where there is none, and where it is no regular file of fair length. */
function textOf(file: string): string | null {
  if (statOf(file)?.isFile() !== true) return null;
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(file);
    if (descriptor === null || fs.fstatSync(descriptor).size > READ_AT_MOST) return null;
    return readAll(descriptor).toString('utf8');
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}
