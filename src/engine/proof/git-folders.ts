// Where a repository keeps its things, read without running git: a `.git` is somebody else's until git was told to
// heed nothing in it.

import fs from 'node:fs';
import path from 'node:path';
import { realPath } from '../../store/files.ts';
import { openOwn, readAll } from '../../store/open.ts';
import { below } from '../../store/paths.ts';

export type GitFolders = {
  /** Has this work tree's index. */
  own: string;
  /** Has the objects and the config; the same folder for all work trees of a repository. */
  common: string;
  /** How the repository names its objects. */
  hash: 'sha1' | 'sha256';
  /** Names of files may differ in case alone, or in how Unicode writes them: what git found out about the disk. */
  ignoreCase: boolean;
  precomposeUnicode: boolean;
  /** Its index is in two files. */
  split: boolean;
};

/** Of the work tree with its top at `top`; null where there is no repository that git would take. */
export function gitFoldersOf(top: string): GitFolders | null {
  const own = ownFolder(top);
  if (own === null || !fs.existsSync(below(own, 'HEAD'))) return null;
  const named = readLine(below(own, 'commondir'));
  const common = named === null ? own : realPath(path.resolve(own, named));
  if (common === null || !isFolder(below(common, 'objects'))) return null;
  const config = read(below(common, 'config'));
  const says = (key: string, value: string): boolean =>
    new RegExp(`^\\s*(?:\\[[^\\]]*\\]\\s*)?${key}\\s*=\\s*"?${value}\\b`, 'im').test(config);
  return {
    own,
    common,
    hash: says('objectformat', 'sha256') ? 'sha256' : 'sha1',
    ignoreCase: says('ignorecase', 'true'),
    precomposeUnicode: says('precomposeunicode', 'true'),
    split: fs.readdirSync(own).some((name) => name.startsWith('sharedindex.')),
  };
}

/** A folder, or a file that names one: of a linked work tree, of a submodule. */
function ownFolder(top: string): string | null {
  const place = below(top, '.git');
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realPath(place);
  const named = found?.isFile() ? /^gitdir: (.+)$/.exec(readLine(place) ?? '')?.[1] : undefined;
  const folder = named === undefined ? null : realPath(path.resolve(top, named));
  return folder !== null && isFolder(folder) ? folder : null;
}

const isFolder = (place: string): boolean =>
  fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

const readLine = (file: string): string | null => read(file).split('\n')[0] || null;

const READ_AT_MOST = 1024 * 1024;

/** Empty where it cannot be read. */
function read(file: string): string {
  try {
    const descriptor = openOwn(file);
    if (descriptor === null) return '';
    try {
      return fs.fstatSync(descriptor).size > READ_AT_MOST ? '' : readAll(descriptor).toString('utf8');
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
