// What a user has put away of a project's runs, and which bad ends they have seen: in their own state folder, since it is
// theirs alone and no agent's.

import type { Environment } from './environment.ts';
import { fingerprint } from './fingerprint.ts';
import { below } from './paths.ts';
import { hasShape, isNumber, isTableOf, isText } from './shape.ts';
import { changeUserRecord, hasUserRecord, readUserRecord, userStateFolder } from './user-state.ts';

/** For each run, when anything had last happened to it by then: what happens later brings it back. */
export type Looked = {
  dismissed: Readonly<Record<string, number>>;
  seen: Readonly<Record<string, number>>;
};

type Stored = Looked & { root: string };
const times = isTableOf(isNumber);
const isStored = hasShape<Stored>({ root: isText, dismissed: times, seen: times });

const NOTHING: Looked = { dismissed: {}, seen: {} };

/** Nothing where it cannot be read: then every run is shown. */
export function readLooked(root: string, env: Environment): Looked {
  try {
    const place = placeOf(root);
    const found = hasUserRecord(env, place) ? readUserRecord(env, place, isStored) : null;
    return found?.root === root ? found : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** Notes of each run in which way it was looked at; `runs`: when anything last happened to each. */
export function noteLooked(
  root: string,
  env: Environment,
  how: keyof Looked,
  runs: Readonly<Record<string, number>>,
): void {
  changeUserRecord(env, placeOf(root), isStored, (found) => {
    const known = found?.root === root ? found : { ...NOTHING, root };
    return { ...known, [how]: newest({ ...known[how], ...runs }) };
  });
}

/** Its file, so that a view sees that it has changed. */
export function lookedFile(root: string, env: Environment): string {
  return below(userStateFolder(env), placeOf(root));
}

/** Views show no more than a few hundred. */
const MOST = 1000;

function newest(times: Readonly<Record<string, number>>): Record<string, number> {
  const sorted = Object.entries(times).sort(([, one], [, other]) => other - one);
  return Object.fromEntries(sorted.slice(0, MOST));
}

const placeOf = (root: string): string => `looked/${fingerprint(root)}.json`;
