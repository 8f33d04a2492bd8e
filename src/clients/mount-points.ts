// What bubblewrap needs on the host to deny a name that is not there: something to mount over. It is made for the time
// of a check, empty, mostly as a folder, of which git sees nothing. What was made stands in the user's state folder
// before it is made, with the checks that need it: the last one takes it away, and where all of them were killed, the
// next check or command does. Taken away sooner, it would take the mount of a check that still runs along with it.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { disk } from '../store/disk.ts';
import type { Environment } from '../store/environment.ts';
import { replaceFile } from '../store/files.ts';
import { fingerprint } from '../store/fingerprint.ts';
import { type HeldLock, tryHold } from '../store/lock.ts';
import {
  closeFolder,
  type Folder,
  hasCode,
  openFolder,
  openThere,
  readAll,
  readSystem,
} from '../store/open.ts';
import { below } from '../store/paths.ts';
import { hasShape, isFlag, isListOf, isOneOf, isText } from '../store/shape.ts';
import {
  changeUserRecord,
  hasUserRecord,
  makeUserFolder,
  readUserRecord,
  userRecordsIn,
} from '../store/user-state.ts';
import type { Denied, Kind } from './denied.ts';

export type MountPoint = {
  place: string;
  kind: Kind;
  /**
   * The client made it, for a command of its agent's in the background, and removes it with that command if it is empty.
   * Until the checks have ended it is not.
   */
  ofClient?: boolean | undefined;
};

type Made = {
  /** The folder that the checks may write; real path. */
  writable: string;
  made: readonly MountPoint[];
  /** Each has a lock for as long as it lives. */
  checks: readonly string[];
};

const isMade = hasShape<Made>({
  writable: isText,
  made: isListOf(
    hasShape<MountPoint>({
      place: isText,
      kind: isOneOf<Kind>('file', 'folder'),
      ofClient: (value): value is boolean | undefined => value === undefined || isFlag(value),
    }),
  ),
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
    const found: { denied: Denied; made: readonly MountPoint[] }[] = [];
    changeUserRecord(env, record, isMade, (known) => {
      const denied = look();
      const before = known?.made ?? [];
      const isNew = ({ place }: MountPoint): boolean => !before.some((each) => each.place === place);
      const wanted = denied.missing.filter(isNew).map(({ place, kind }) => ({ place, kind }));
      const made = [...before, ...wanted, ...pointsOfClient(denied.there).filter(isNew)];
      found.push({ denied, made });
      return made.length === 0 ? null : { writable, made, checks: [...(known?.checks ?? []), check] };
    });
    const { denied, made } = found.at(-1) ?? { denied: look(), made: [] };
    for (const each of made) make(each);
    return { denied, made: new Set(made.flatMap((each) => (each.ofClient ? [] : each.place))), letGo };
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
function make({ place, kind, ofClient }: MountPoint): void {
  inFolderOf(place, (reached) => {
    try {
      if (ofClient && isEmpty(reached)) keep(reached, kind);
      // It may have gone since it was looked at.
      else if (kind === 'folder') disk.makeNewFolder(reached, 0o755);
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
function remove({ place, kind, ofClient }: MountPoint): void {
  inFolderOf(place, (reached) => {
    try {
      if (ofClient) giveBack(place, reached, kind);
      else if (kind === 'folder') disk.removeEmptyFolder(reached);
      else if (isOurs(reached)) disk.removeFile(reached);
    } catch (error) {
      if (
        !hasCode(
          error,
          'ENOENT',
          'ENOTEMPTY',
          'ENOTDIR',
          'ELOOP',
          'EEXIST',
          'EBUSY',
          'EACCES',
          'EPERM',
          'EROFS',
        )
      )
        throw error;
    }
  });
}

function isOurs(place: string): boolean {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && found.mtimeMs === 0;
}

/** Empty, and under something else's mount: what was the user's own before is mounted over itself. */
function pointsOfClient(places: readonly string[]): MountPoint[] {
  const empty = places.filter(isEmpty);
  if (empty.length === 0) return [];
  const covered = coveredPlaces();
  return empty
    .filter((place) => covered.has(place))
    .map((place) => ({ place, kind: fs.lstatSync(place).isDirectory() ? 'folder' : 'file', ofClient: true }));
}

function isEmpty(place: string): boolean {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return fs.readdirSync(place).length === 0;
  return found?.isFile() === true && found.size === 0 && found.nlink === 1;
}

/** Where any process of ours has something else mounted. */
function coveredPlaces(): Set<string> {
  const lines = fs.readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? mountsOf(pid) : []));
  const covered = lines.flatMap((line) => {
    const [, , , what = '', where = ''] = line.split(' ');
    const place = where.replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    return place.endsWith(what) || where.endsWith(what) ? [] : place;
  });
  return new Set(covered);
}

/** None of a process that has gone, or is another user's. */
function mountsOf(pid: string): string[] {
  try {
    return readSystem(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
  } catch {
    return [];
  }
}

const INSIDE = '.holdfast';

/** What may be read meanwhile: no settings, and nothing for a shell to do. */
const contentOf = (place: string): string => (place.endsWith('.json') ? '{}\n' : '\n');

function keep(reached: string, kind: Kind): void {
  if (kind === 'file') disk.fill(reached, contentOf(reached));
  else disk.close(disk.createNew(below(reached, INSIDE), 0o644));
}

/** To the client, empty as it was; taken away where nothing is mounted on it any more, since the client is past that. */
function giveBack(place: string, reached: string, kind: Kind): void {
  const isMounted = coveredPlaces().has(place);
  if (kind === 'folder') {
    disk.remove(below(reached, INSIDE));
    if (!isMounted) disk.removeEmptyFolder(reached);
    return;
  }
  const isKept = smallTextOf(reached) === contentOf(reached);
  if (isKept && isMounted) disk.fill(reached, '');
  else if (isKept) disk.removeFile(reached);
}

/** Its folder is an agent's: it is opened once, and used only where it is the one that was meant. */
function inFolderOf(place: string, use: (reached: string) => void): void {
  const meant = path.dirname(place);
  let folder: Folder | null;
  try {
    folder = openFolder(meant, fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ELOOP', 'EACCES')) return;
    throw error;
  }
  if (folder === null) return;
  try {
    if (folder.real === meant) use(below(folder.way, path.basename(place)));
  } finally {
    closeFolder(folder);
  }
}

/** Null: it is no file, or too long to be ours. */
function smallTextOf(file: string): string | null {
  const descriptor = openThere(file);
  try {
    const found = fs.fstatSync(descriptor);
    return found.isFile() && found.size <= 3 ? readAll(descriptor).toString('utf8') : null;
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
