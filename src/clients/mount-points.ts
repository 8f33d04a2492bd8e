// What bubblewrap needs on the host to deny a name that is not there: something to mount over. It is made for the time
// of a check, empty, mostly as a folder, of which git sees nothing. What was made stands in the user's state folder
// before it is made, with the checks that need it: the last one takes it away, and where all of them were killed, the
// next check or command does. Taken away sooner, it would take the mount of a check that still runs along with it.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { disk } from '../store/disk.ts';
import type { Environment } from '../store/environment.ts';
import { hasCode, replaceFile } from '../store/files.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { type HeldLock, tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import { hasShape, isListOf, isOneOf, isText } from '../store/shape.ts';
import {
  changeUserRecord,
  hasUserRecord,
  makeUserFolder,
  readUserRecord,
  userRecordsIn,
} from '../store/user-state.ts';
import type { Denied, Kind } from './denied.ts';

export type MountPoint = { place: string; kind: Kind };

type Made = {
  /** The folder that the checks may write; real path. */
  writable: string;
  made: readonly MountPoint[];
  /** Each has a lock for as long as it lives. */
  checks: readonly string[];
};

const isMade = hasShape<Made>({
  writable: isText,
  made: isListOf(hasShape<MountPoint>({ place: isText, kind: isOneOf<Kind>('file', 'folder') })),
  checks: isListOf(isText),
});

const FOLDER = 'mount-points';

export type HeldMountPoints = {
  denied: Denied;
  /** Of this check and of others that run beside it. */
  made: ReadonlySet<string>;
  letGo(): void;
};

/** Looked at under the lock of the record: what another check takes away must not be taken for a file of the user's. */
export function makeMountPoints(writable: string, look: () => Denied, env: Environment): HeldMountPoints {
  removeLeftMountPoints(env);
  const record = placeOf(writable);
  const check = randomBytes(8).toString('hex');
  const lock = holdLock(check, env);
  const letGo = (): void => {
    lock.release();
    removeLock(check, env);
    removeUnneeded(record, env);
  };
  try {
    let found: { denied: Denied; made: readonly MountPoint[] } | null = null;
    changeUserRecord(env, record, isMade, (known) => {
      const denied = look();
      const before = known?.made ?? [];
      const isNew = ({ place }: MountPoint): boolean => !before.some((each) => each.place === place);
      const wanted = denied.missing.filter(isNew).map(({ place, kind }) => ({ place, kind }));
      const made = [...before, ...wanted];
      found = { denied, made };
      return made.length === 0 ? null : { writable, made, checks: [...(known?.checks ?? []), check] };
    });
    const { denied, made } = found ?? { denied: look(), made: [] };
    for (const each of made) make(each);
    return { denied, made: new Set(made.map(({ place }) => place)), letGo };
  } catch (error) {
    letGo();
    throw error;
  }
}

/** What checks that were killed have left, of any project. */
export function removeLeftMountPoints(env: Environment): void {
  if (!hasUserRecord(env, FOLDER)) return;
  for (const record of userRecordsIn(env, FOLDER)) removeUnneeded(record, env);
}

function removeUnneeded(record: string, env: Environment): void {
  const needs = ({ checks }: Made): string[] => checks.filter((check) => isAlive(check, env));
  const known = readUserRecord(env, record, isMade);
  if (known !== null && needs(known).length === known.checks.length && known.checks.length > 0) return;
  changeUserRecord(env, record, isMade, (now) => {
    if (now === null) return null;
    const checks = needs(now);
    if (checks.length > 0) return { ...now, checks };
    for (const each of now.made.toReversed()) remove(each);
    return null;
  });
}

const placeOf = (writable: string): string => `${FOLDER}/${fingerprint(writable)}.json`;

const lockOf = (check: string, env: Environment): string =>
  below(makeUserFolder(env), `${FOLDER}-${check}.lock`);

function holdLock(check: string, env: Environment): HeldLock {
  const held = tryHold(lockOf(check, env));
  if (held === null) throw new Error('a lock with a name that only we know is held');
  return held;
}

function isAlive(check: string, env: Environment): boolean {
  const file = lockOf(check, env);
  if (!/^[0-9a-f]{16}$/.test(check) || !fs.existsSync(file)) return false;
  const held = tryHold(file);
  held?.release();
  if (held !== null) removeLock(check, env);
  return held === null;
}

function removeLock(check: string, env: Environment): void {
  disk.remove(lockOf(check, env));
}

/** What the system does not let us make, a check cannot make either: it has the same rights. */
function make({ place, kind }: MountPoint): void {
  inFolderOf(place, (reached) => {
    try {
      if (kind === 'folder') disk.makeNewFolder(reached, 0o755);
      else makeFile(reached);
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'EACCES', 'EPERM', 'EROFS')) throw error;
    }
  });
}

/** Ours are known by their time, too. */
function makeFile(place: string): void {
  const descriptor = disk.createNew(place, 0o644);
  try {
    disk.setTime(descriptor, 0);
  } finally {
    disk.close(descriptor);
  }
}

/** A folder goes only where it is empty. What is in the way now is somebody's own. */
function remove({ place, kind }: MountPoint): void {
  inFolderOf(place, (reached) => {
    try {
      if (kind === 'folder') disk.removeEmptyFolder(reached);
      else if (isOurs(reached)) disk.removeFile(reached);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'ENOTDIR', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'))
        throw error;
    }
  });
}

function isOurs(place: string): boolean {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && found.mtimeMs === 0;
}

/** Its folder is an agent's: it is opened once, and used only where it is the one that was meant. */
function inFolderOf(place: string, use: (reached: string) => void): void {
  const folder = path.dirname(place);
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  let descriptor: number;
  try {
    descriptor = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return;
    throw error;
  }
  try {
    const opened = `/proc/self/fd/${descriptor}`;
    if (fs.readlinkSync(opened) === folder) use(below(opened, path.basename(place)));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** What is mounted: nothing of it can be written, since the sandbox has the user's state folder read-only. */
export type Covers = {
  file: string;
  folder: string;
  /**
   * For a name that git must pass by: as a repository in the repository it is left alone even by `git clean -x`, which
   * would fail at a folder that it cannot remove.
   */
  passedBy: string;
};

export function makeCovers(env: Environment): Covers {
  const user = makeUserFolder(env);
  const [file, folder, passedBy] = ['file', 'folder', 'repository'].map((name) =>
    below(user, `covers/${name}`),
  ) as [string, string, string];
  const head = below(passedBy, '.git/HEAD');
  // Written last, so whoever finds it finds the rest.
  if (!fs.existsSync(head)) {
    for (const each of [folder, below(passedBy, '.git/objects'), below(passedBy, '.git/refs')])
      disk.makeFolder(each);
    replaceFile(file, '', user, 0o444);
    // Said to be all that may be written, since below a `.git` nothing else is.
    replaceFile(head, 'ref: refs/heads/none\n', below(passedBy, '.git'), 0o644);
  }
  return { file, folder, passedBy };
}
