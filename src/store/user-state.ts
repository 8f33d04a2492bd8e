// The user's state folder (`~/.local/state/holdfast`): what no cloned repository and no sandboxed agent may write. Its
// records are JSON, replaced as a whole, durable, changed by one process at a time, and nobody else's: folders 0700,
// files 0600, another user's file and a link are refused.

import fs from 'node:fs';
import { shellQuote } from '../text/shell.ts';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { replaceFile } from './files.ts';
import { parseJson } from './json.ts';
import { type HeldLock, LockBusy, tryHold } from './lock.ts';
import { hasCode, openOwn, Refused, readAll, realPath } from './open.ts';
import { folderOf } from './owner.ts';
import { below } from './paths.ts';
import type { Check } from './shape.ts';
import { absolute, homeFolder } from './user-folders.ts';

const PATIENCE_MS = 2000;
const READ_AT_MOST = 4 * 1024 * 1024;

/** The folder of the driver's records in it (src/driver/record.ts). */
export const DRIVER_RECORDS = 'driver';

export function userStateFolder(env: Environment): string {
  return below(absolute(env.XDG_STATE_HOME) ?? below(homeFolder(env), '.local/state'), 'holdfast');
}

/** Cheap enough to ask at every stop. `place` is relative to the folder. */
export function hasUserRecord(env: Environment, place: string): boolean {
  return fs.existsSync(below(userStateFolder(env), place));
}

/** Null where there is none, and where it has not the shape it should. */
export function readUserRecord<T>(env: Environment, place: string, check: Check<T>): T | null {
  const folder = realPath(userStateFolder(env));
  const text = folder === null ? null : readOwn(below(folder, place), env);
  const record = text === null ? undefined : parseJson(text);
  return check(record) ? record : null;
}

/** The places of the records in one of its folders, in the order of their names. */
export function userRecordsIn(env: Environment, folder: string): string[] {
  const real = realPath(below(userStateFolder(env), folder));
  if (real === null) return [];
  const names = fs.readdirSync(real).filter((name) => /^[^.].*\.json$/.test(name));
  return names.sort().map((name) => `${folder}/${name}`);
}

/**
 * Reads the record, and writes what `change` makes of it, under the folder's lock; null removes it. `change` is done
 * before anything is written, so a crash in between leaves the record as it was. Whoever needs a project's lock too
 * takes that one first. It waits without letting go of the process, since it is held for one small write only.
 */
export function changeUserRecord<T>(
  env: Environment,
  place: string,
  check: Check<T>,
  change: (known: T | null) => T | null,
): void {
  const folder = makeUserFolder(env);
  const held = holdLock(below(folder, 'lock'));
  try {
    const next = change(readUserRecord(env, place, check));
    const file = below(folder, place);
    if (next === null) {
      disk.remove(file);
      return;
    }
    makePrivate(folderOf(file), env);
    replaceFile(file, `${JSON.stringify(next)}\n`, folder, 0o600);
  } finally {
    held.release();
  }
}

/**
 * True for the first to ask for this name, marked by an empty file: that needs no lock, and a full disk still has room
 * for it. Not synced: after a crash of the machine the answer is true once more.
 */
export function isFirstMark(env: Environment, name: string): boolean {
  const file = below(makeUserFolder(env), name);
  try {
    disk.close(disk.createNew(file, 0o600));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Its real path: the folder, or one above it, may be a link, since it is the user who put it there. */
export function makeUserFolder(env: Environment): string {
  const named = userStateFolder(env);
  if (realPath(named) === null) disk.makeFolder(folderOf(named));
  makePrivate(named, env);
  return realPath(named) ?? named;
}

/** One right in it, or in one that is made already. */
export function makeUserFolderIn(env: Environment, place: string): void {
  makePrivate(below(makeUserFolder(env), place), env);
}

function makePrivate(folder: string, env: Environment): void {
  try {
    disk.makeNewFolder(folder, 0o700);
    return;
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !fs.statSync(folder).isDirectory()) throw error;
  }
  const found = fs.statSync(folder);
  refuseOthers(found, folder, env);
  // Earlier versions left that to the umask. A folder that is not ours to change is one we may use as root.
  if ((found.mode & 0o077) !== 0 && found.uid === process.geteuid?.()) disk.setFolderMode(folder, 0o700);
}

/** Null when there is none. Below the folder itself nothing is a link. */
function readOwn(file: string, env: Environment): string | null {
  const real = realPath(file);
  if (real === null) return null;
  if (real !== file) throw new Refused(`${file} is behind a link and is not read; remove it`, { file });
  const descriptor = openOwn(file);
  if (descriptor === null) return null;
  try {
    const found = fs.fstatSync(descriptor);
    refuseOthers(found, file, env);
    if (found.size > READ_AT_MOST)
      throw new Refused(`${file} is ${found.size} bytes long, more than the ${READ_AT_MOST} that are read`);
    return readAll(descriptor).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** What another user could write, another user may have written. Root works in the folder of the user whose home it has. */
function refuseOthers({ uid }: fs.Stats, place: string, env: Environment): void {
  const me = process.geteuid?.();
  if (me === undefined || uid === me) return;
  if (me === 0 && uid === fs.statSync(homeFolder(env), { throwIfNoEntry: false })?.uid) return;
  throw new Refused(
    `${place} belongs to another user (${uid}), so nothing in it counts; to fix it, run \`sudo rm -r ${shellQuote(place)}\``,
  );
}

function holdLock(path: string): HeldLock {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const held = tryHold(path);
    if (held !== null) return held;
    if (performance.now() >= end)
      throw new LockBusy(
        `Another Holdfast process still holds ${path} after ${PATIENCE_MS} ms; try again when it has ended.`,
      );
    // Uneven, so that the same one does not come too late each time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 10);
  }
}
