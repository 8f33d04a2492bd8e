// A process killed in the middle of a write leaves its temp file behind. A later start removes such files: ours by
// their exact name, regular, this user's own, and so old that nobody can still be writing them.

import fs from 'node:fs';
import { disk } from './disk.ts';
import { isInside, realPath } from './files.ts';
import { NOTIFIED } from './notified.ts';
import { OLD_NOTIFIED } from './old-records.ts';
import { readOwn } from './open.ts';
import { below } from './paths.ts';
import { STAGE } from './stage-folder.ts';

/** As files.ts names them: a dot, the file's own name, the process, a few letters. */
const TEMPORARY = /^\..+\.[1-9]\d{0,9}\.[0-9a-z]{1,12}\.tmp$/s;
const HOUR_MS = 60 * 60 * 1000;
const MONTH_MS = 30 * 24 * HOUR_MS;
/** A project with more plans than that keeps the rest for a later start. */
const MOST_FOLDERS = 1000;

/** Right in these folders and in those below them, one deep. None may lead out of `root`, its real path. */
export function sweepTemporaries(folders: readonly string[], root: string, now: number): void {
  const all = folders.flatMap((folder) => [folder, ...foldersIn(folder)]);
  for (const folder of [...new Set(all)].slice(0, MOST_FOLDERS)) {
    const real = quietly(() => realPath(folder));
    if (real !== null && isInside(real, root)) sweep(real, (name) => TEMPORARY.test(name), now - HOUR_MS);
  }
}

/** What long-gone sessions were notified of. */
export function sweepNotified(state: string, now: number): void {
  sweep(
    state,
    (name) => name.startsWith(NOTIFIED) || name.startsWith(`${OLD_NOTIFIED}session-`),
    now - MONTH_MS,
  );
}

/** Pins of runs that nobody ended. */
export function sweepPins(state: string, now: number): void {
  sweep(below(state, 'pins'), (name) => name.endsWith('.json'), now - 3 * MONTH_MS);
}

/** Records of checks that were killed, in projects that saw no stop since. */
export function sweepChecking(state: string, now: number): void {
  sweep(below(state, 'checking'), () => true, now - MONTH_MS);
}

/** Of demos and doctors that were killed. */
export function sweepStages(state: string, now: number): void {
  removeOld(state, (name) => name.startsWith(STAGE), now - 24 * HOUR_MS);
}

/** What was printed for attempts of which no stop came to ask again. */
export function sweepOutputs(state: string, now: number): void {
  removeOld(below(state, 'attempts'), () => true, now - 3 * MONTH_MS);
}

/** With all that is in them. */
function removeOld(folder: string, isOurs: (name: string) => boolean, before: number): void {
  for (const name of (quietly(() => fs.readdirSync(folder)) ?? []).filter(isOurs))
    quietly(() => {
      const place = below(folder, name);
      const { uid, mtimeMs } = fs.lstatSync(place);
      if (uid === process.geteuid?.() && mtimeMs < before) disk.remove(place);
    });
}

/** Budgets of runs that are long over. A paused one is not: `isPaused` tells by the record's text. */
export function sweepBudgets(state: string, now: number, isPaused: (text: string) => boolean): void {
  const folder = below(state, 'budgets');
  const isOver = (name: string): boolean =>
    name.endsWith('.json') && quietly(() => !isPaused(readOwn(below(folder, name)))) === true;
  sweep(folder, isOver, now - 12 * MONTH_MS);
}

function sweep(folder: string, isOurs: (name: string) => boolean, before: number): void {
  for (const name of quietly(() => fs.readdirSync(folder)) ?? []) {
    if (!isOurs(name)) continue;
    quietly(() => {
      const file = below(folder, name);
      const found = fs.lstatSync(file);
      if (found.isFile() && found.uid === process.geteuid?.() && found.mtimeMs < before) disk.remove(file);
    });
  }
}

function foldersIn(folder: string): string[] {
  const entries = quietly(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map((entry) => below(folder, entry.name));
}

/** Mere tidying: whatever is in its way is no trouble of the command that came by. */
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
