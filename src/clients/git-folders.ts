// Where the repository of a folder keeps its things, read without running git. All of it may be an agent's: it says
// which places may not be written, and none that may.

import fs from 'node:fs';
import path from 'node:path';
import { openOwn, readAll, realPath } from '../store/open.ts';
import { below } from '../store/paths.ts';

export type GitFolders = { own: string; common: string };

/** Of the work tree whose top is `folder`; null where it is none. */
export function gitFoldersAt(folder: string): GitFolders | null {
  const place = below(folder, '.git');
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const named = found.isDirectory() ? place : /^gitdir: (.+)$/m.exec(readSmall(place))?.[1];
  const own = named === undefined ? null : realPath(path.resolve(folder, named));
  if (own === null) return null;
  const common = readSmall(below(own, 'commondir')).trim();
  return { own, common: common === '' ? own : (realPath(path.resolve(own, common)) ?? own) };
}

/** The nearest folder on the way up that has a repository. */
export function gitTopOf(folder: string): string | null {
  for (let each = folder; ; each = path.dirname(each)) {
    if (fs.existsSync(below(each, '.git'))) return each;
    if (each === path.dirname(each)) return null;
  }
}

const READ_AT_MOST = 1024 * 1024;

/** Empty where there is nothing to read. */
export function readSmall(file: string): string {
  let descriptor: number | null = null;
  try {
    descriptor = openOwn(file);
    if (descriptor === null || fs.fstatSync(descriptor).size > READ_AT_MOST) return '';
    return readAll(descriptor).toString('utf8');
  } catch {
    return '';
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}
