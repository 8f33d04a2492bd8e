// A word for a run's next stop, kept where the run's sidecar cannot be written: the lock is busy, the disk is full, the
// project cannot be written at all. It is the name of an empty file: that needs no lock, and a full disk still has
// room for it. It lies beside our notes in the project, else in the user's state folder.

import fs from 'node:fs';
import path from 'node:path';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { removeQuietly } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { homeOf, sidecarPath } from './home.ts';
import { closeFolder, type Folder, hasCode, isInside, openFolder, realPath } from './open.ts';
import { below } from './paths.ts';
import { userStateFolder } from './user-state.ts';

const { O_NOFOLLOW } = fs.constants;

export type KeptFor = { root: string; env: Environment; run: string };

/** False when neither place takes it. */
export function keepWord(whose: KeptFor, word: string): boolean {
  const name = encodeURIComponent(word);
  return placesOf(whose).some((place) => {
    try {
      if (place.within === null) disk.makeFolder(place.folder);
      return keepIn(place, place.prefix + name);
    } catch {
      return false;
    }
  });
}

function keepIn(place: Place, name: string): boolean {
  const held = openPlace(place);
  if (held === null) return false;
  try {
    const file = `${held.way}/${name}`;
    try {
      disk.close(disk.createNew(file, 0o600));
    } catch (error) {
      // From an earlier stop, in the same words.
      return hasCode(error, 'EEXIST');
    }
    syncQuietly(held.descriptor);
    return true;
  } finally {
    closeFolder(held);
  }
}

/** Cheap enough to ask at every stop of a run. */
export function keptWords(whose: KeptFor): string[] {
  return keptNames(whose).flatMap((name) => decoded(name) ?? []);
}

/** The run went on: whatever was kept for it is honoured or out of date. */
export function forgetWords(whose: KeptFor): void {
  for (const place of placesOf(whose)) {
    const names = namesIn(place.folder).filter((name) => name.startsWith(place.prefix));
    if (names.length > 0) removeQuietlyIn(place, names);
  }
}

/** `within`: null for the user's own folder, which is made where it is missing. */
type Place = { folder: string; prefix: string; within: string | null };

function placesOf({ root, env, run }: KeptFor): Place[] {
  const home = homeOf(root);
  const name = path.basename(sidecarPath(home, run), '.json');
  const real = realPath(home);
  const ours =
    real !== null && isInside(real, root) ? [{ folder: real, prefix: `kept-${name}~`, within: root }] : [];
  const users = {
    folder: below(userStateFolder(env), 'kept'),
    prefix: `${fingerprint(root)}-${name}~`,
    within: null,
  };
  return [...ours, users];
}

function keptNames(whose: KeptFor): string[] {
  return placesOf(whose).flatMap(({ folder, prefix }) =>
    namesIn(folder).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : [])),
  );
}

/** Null where another folder is in its place. */
function openPlace({ folder, within }: Place): Folder | null {
  const held = openFolder(folder, O_NOFOLLOW);
  if (held === null || within === null || isInside(held.real, within)) return held;
  closeFolder(held);
  return null;
}

function removeQuietlyIn(place: Place, names: readonly string[]): void {
  const held = openPlace(place);
  if (held === null) return;
  for (const name of names) removeQuietly(`${held.way}/${name}`);
  closeFolder(held);
}

function namesIn(folder: string): string[] {
  try {
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  } catch {
    return []; // A folder we may not read keeps nothing for us.
  }
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null; // Not written by us.
  }
}

/** Without it the word survives a crash of ours, if not of the machine. */
function syncQuietly(folder: number): void {
  try {
    disk.syncFolder(folder);
  } catch {
    // A disk in trouble: that is why we are here.
  }
}
