// `.holdfast/`, the folder of our own data beside a project's run files, and where things are in it.

import fs from 'node:fs';
import { shellQuote } from '../text/shell.ts';
import { disk } from './disk.ts';
import { hasCode, isInside, makeFolderInside, Refused, realPath, replaceFile } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { below } from './paths.ts';

export function homeOf(root: string): string {
  return below(root, '.holdfast');
}

/**
 * Makes the folder, and a .gitignore in it that hides all of it, itself included. A project that is gone, a worktree
 * that was removed at the end of a run for one, is not made again.
 */
export function ensureHome(root: string): string {
  const home = homeOf(root);
  try {
    for (const folder of [home, below(home, 'attempts')]) refuseLinkOut(folder, root);
  } catch (error) {
    throw hasCode(error, 'ENOTDIR') ? notAFolder(home) : error;
  }
  if (fs.existsSync(below(home, '.gitignore'))) return home;
  if (!fs.existsSync(root)) throw new Refused(`${root} is not there any more; nothing was written`);
  try {
    disk.makeFolder(home);
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOTDIR')) throw notAFolder(home);
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    throw new Refused(`${root} cannot be written; start the client in a folder where you may write`, {
      cause: error,
    });
  }
  replaceFile(
    below(home, '.gitignore'),
    '# Holdfast keeps its own notes here; none of them belong in git.\n*\n',
    root,
  );
  return home;
}

/** Said here with what to do, since a stop that cannot have this folder tells it as it is. */
function notAFolder(home: string): Refused {
  const place = shellQuote(home);
  return new Refused(
    `${home} is ${fs.statSync(home).isFile() ? 'a file' : 'no folder'} where a folder belongs; to fix it, run \`mv ${place} ${shellQuote(`${home}.aside`)}\``,
  );
}

export const journalPath = (home: string): string => below(home, 'journal.jsonl');
export const journalFolder = (home: string): string => below(home, 'journal');
export const sidecarPath = (home: string, run: string): string =>
  below(home, `runs/${fileName(run, run.replace(':', '-'))}.json`);
export const sessionPath = (home: string, session: string): string =>
  below(home, `sessions/${fileName(session)}.json`);
export const attemptFolder = (home: string, attempt: string): string =>
  below(home, `attempts/${fileName(attempt)}`);

/** Makes the folder of an attempt; a forged link in its place is refused. */
export function ensureAttemptFolder(root: string, attempt: string): string {
  const folder = attemptFolder(homeOf(root), attempt);
  refuseLinkOut(folder, root);
  makeFolderInside(folder, root);
  return folder;
}

/** Ids come from outside: one that is not plain becomes its fingerprint before it touches a path. */
export function fileName(id: string, plain = id): string {
  // As JSON, which keeps apart what UTF-8 does not: lone surrogates.
  return /^(?!x-)[A-Za-z0-9][A-Za-z0-9_-]{0,120}$/.test(plain)
    ? plain
    : `x-${fingerprint(JSON.stringify(id))}`;
}

/** A repository may bring a link in our folder's place: no lock goes through one that leaves. */
function refuseLinkOut(folder: string, root: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const real = realPath(folder);
  if (real === null || !isInside(real, root))
    throw new Refused(`${folder} is a link out of ${root} and is left alone; remove it`);
}
