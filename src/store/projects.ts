// The projects that have runs, in the user's state folder: written by the hook at a run's first stop, read by views that
// show all of them. A start may be sandboxed and cannot write there.

import fs from 'node:fs';
import type { Environment } from './environment.ts';
import { putFile, realPath } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import { homeOf } from './home.ts';
import { below } from './paths.ts';
import { hasShape, isText } from './shape.ts';
import { makeUserFolder, readUserRecord, userRecordsIn, userStateFolder } from './user-state.ts';

type KnownProject = { root: string };
const isKnownProject = hasShape<KnownProject>({ root: isText });

/**
 * Not synced and without a lock: whoever writes it writes the same, a reader sees all of it or nothing, and one that a
 * crash of the machine emptied is written again.
 */
export function noteProject(env: Environment, root: string): void {
  const place = placeOf(root);
  const known = fs.statSync(below(userStateFolder(env), place), { throwIfNoEntry: false });
  if (known !== undefined && known.size > 0) return;
  const folder = makeUserFolder(env);
  putFile(below(folder, place), `${JSON.stringify({ root })}\n`, folder, 0o600);
}

/** Real paths, in their order; one that is gone, or has nothing of ours any more, is left out. */
export function knownProjects(env: Environment): string[] {
  const roots = placesIn(env).flatMap((place) => {
    const root = readQuietly(env, place)?.root;
    return root !== undefined && place === placeOf(root) && isThere(root) ? root : [];
  });
  return roots.sort();
}

/** None where something else is in the folder's place. */
function placesIn(env: Environment): string[] {
  try {
    return userRecordsIn(env, FOLDER);
  } catch {
    return [];
  }
}

/** One that cannot be read must not hide the others. */
function readQuietly(env: Environment, place: string): KnownProject | null {
  try {
    return readUserRecord(env, place, isKnownProject);
  } catch {
    return null;
  }
}

function isThere(root: string): boolean {
  try {
    return realPath(root) === root && fs.existsSync(homeOf(root));
  } catch {
    return false;
  }
}

const FOLDER = 'projects';
const placeOf = (root: string): string => `${FOLDER}/${fingerprint(root)}.json`;
