// A word for a run's next stop, kept where the run's sidecar cannot be written: the lock is busy, the disk is full, the
// project cannot be written at all. It is the name of an empty file: that needs no lock, and a full disk still has
// room for it. It lies beside our notes in the project, else in the user's state folder.

import fs from 'node:fs';
import path from 'node:path';
import { disk } from './disk.ts';
import type { Environment } from './environment.ts';
import { hasCode, isInside, realPath, removeQuietly } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { homeOf, sidecarPath } from './home.ts';
import { below } from './paths.ts';
import { userStateFolder } from './user-state.ts';

export type KeptFor = { root: string; env: Environment; run: string };

/** False when neither place takes it. */
export function keepWord(whose: KeptFor, word: string): boolean {
  const name = encodeURIComponent(word);
  return placesOf(whose).some(({ folder, prefix, make }) => {
    const file = below(folder, prefix + name);
    try {
      if (make) disk.makeFolder(folder);
      disk.close(disk.createNew(file, 0o600));
    } catch (error) {
      // From an earlier stop, in the same words. A file in the folder's place is told by the same code.
      return hasCode(error, 'EEXIST') && fs.existsSync(file);
    }
    syncQuietly(folder);
    return true;
  });
}

/** Cheap enough to ask at every stop of a run. */
export function keptWords(whose: KeptFor): string[] {
  return keptFiles(whose).flatMap(({ name }) => decoded(name) ?? []);
}

/** The run went on: whatever was kept for it is honoured or out of date. */
export function forgetWords(whose: KeptFor): void {
  for (const { file } of keptFiles(whose)) removeQuietly(file);
}

type Place = { folder: string; prefix: string; make: boolean };

function placesOf({ root, env, run }: KeptFor): Place[] {
  const home = homeOf(root);
  const name = path.basename(sidecarPath(home, run), '.json');
  const real = realPath(home);
  const ours =
    real !== null && isInside(real, root) ? [{ folder: real, prefix: `kept-${name}~`, make: false }] : [];
  const users = {
    folder: below(userStateFolder(env), 'kept'),
    prefix: `${fingerprint(root)}-${name}~`,
    make: true,
  };
  return [...ours, users];
}

function keptFiles(whose: KeptFor): { file: string; name: string }[] {
  return placesOf(whose).flatMap(({ folder, prefix }) =>
    namesIn(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ file: below(folder, name), name: name.slice(prefix.length) })),
  );
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
function syncQuietly(folder: string): void {
  try {
    disk.syncFolder(folder);
  } catch {
    // A disk in trouble: that is why we are here.
  }
}
