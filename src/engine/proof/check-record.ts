// While a check runs, a record in the user's state folder names the project's live runs: a check may clean the tree and
// take their files along. A command or a stop that ends a run meanwhile takes it off the record first, so that it is not
// put back; and when the hook is killed, the next stop learns from it what is gone.

import fs from 'node:fs';
import { disk } from '../../store/disk.ts';
import { removeQuietly } from '../../store/files.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { type HeldLock, tryHold } from '../../store/lock.ts';
import { below } from '../../store/paths.ts';
import { removeIfEmpty } from '../../store/remove-if-empty.ts';
import { hasShape, isListOf, isText } from '../../store/shape.ts';
import {
  changeUserRecord,
  makeUserFolder,
  readUserRecord,
  userRecordsIn,
  userStateFolder,
} from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { CHECKING, isAnyChecking } from './asked.ts';

export type CheckRecord = {
  root: string;
  check: string;
  /** The live runs that nothing has ended since. */
  runs: readonly { name: string; sessions: readonly string[] }[];
};

const isRecord = hasShape<CheckRecord>({
  root: isText,
  check: isText,
  runs: isListOf(hasShape({ name: isText, sessions: isListOf(isText) })),
});

type Place = Pick<Project, 'root' | 'env'>;

export type NotedCheck = {
  /** The runs that are on it by now. */
  runs(): readonly string[];
  remove(): void;
};

/** Under the project's lock. Its writer holds a lock beside it for as long as it lives. */
export function noteCheck({ env }: Place, id: string, record: CheckRecord): NotedCheck {
  const place = `${prefixOf(record.root)}${id}.json`;
  let held: HeldLock | null = null;
  changeUserRecord(env, place, isRecord, () => {
    disk.makeFolder(below(makeUserFolder(env), CHECKING));
    held = tryHold(ownerOf(env, place));
    return record;
  });
  return {
    runs: () => (readUserRecord(env, place, isRecord)?.runs ?? []).map(({ name }) => name),
    remove() {
      held?.release();
      removeRecord(env, place);
    },
  };
}

/** Under the lock, before the end is written: a check that takes the run along does not bring it back. */
export function noteEnded(project: Place, name: string): void {
  try {
    for (const place of placesOf(project))
      changeUserRecord(project.env, place, isRecord, (known) =>
        known === null ? null : { ...known, runs: known.runs.filter((run) => run.name !== name) },
      );
  } catch {
    // In a client's sandbox the user's folder may be read-only. The state that is written next says the same.
  }
}

export type FoundRecord = CheckRecord & {
  /** Its check still runs, or did a moment ago. */
  isLive: boolean;
  remove(): void;
};

/** Of the checks that run in this project, and of those whose hook or command was killed. */
export function checkRecords(project: Place): FoundRecord[] {
  const { root, env } = project;
  return placesOf(project).flatMap((place) => {
    const found: FoundRecord[] = [];
    changeUserRecord(env, place, isRecord, (known) => {
      if (known?.root !== root) return known;
      const held = tryHold(ownerOf(env, place));
      held?.release();
      found.push({ ...known, isLive: held === null, remove: () => removeRecord(env, place) });
      return known;
    });
    return found;
  });
}

/** Cheap enough to ask at every stop. */
export function hasCheckRecords(project: Place): boolean {
  return placesOf(project).length > 0;
}

function placesOf({ root, env }: Place): string[] {
  if (!isAnyChecking({ env })) return [];
  return userRecordsIn(env, CHECKING).filter((place) => place.startsWith(prefixOf(root)));
}

const prefixOf = (root: string): string => `${CHECKING}/${fingerprint(root)}-`;

const ownerOf = (env: Place['env'], place: string): string =>
  below(userStateFolder(env), place.replace(/\.json$/, '.owner'));

/** All under the folder's lock, so that what another check has just begun to write stays. */
function removeRecord(env: Place['env'], place: string): void {
  const owner = ownerOf(env, place);
  changeUserRecord(env, place, isRecord, () => {
    for (const file of [owner, `${owner}.lease`, below(userStateFolder(env), place)]) removeQuietly(file);
    removeOrphans(below(userStateFolder(env), CHECKING));
    removeIfEmpty(below(userStateFolder(env), CHECKING));
    return null;
  });
}

/** Of a process that was killed between its lock and its record. */
function removeOrphans(folder: string): void {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const isOrphan = (name: string): boolean =>
    name.includes('.owner') && !names.includes(name.replace(/\.owner.*$/, '.json'));
  for (const name of names.filter(isOrphan)) removeQuietly(below(folder, name));
}
