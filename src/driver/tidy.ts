// Removes what drivers left in the user's state folder and nobody can want any more: old records and their locks. A run
// whose record is gone is not lost: `--continue` then takes it over with a new session.

import fs from 'node:fs';
import { dropEndMarks } from '../engine/driver/end-mark.ts';
import { disk } from '../store/disk.ts';
import type { Environment } from '../store/environment.ts';
import { tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import { userStateFolder } from '../store/user-state.ts';
import { lockOf, namesOfLocks } from './one-driver.ts';
import { readRecord, recordNames, recordPlace, saveRecord } from './record.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Somebody may still look at how it went, and a wait for a limit is never as long. */
const OVER_MS = 30 * DAY_MS;

/** As long as a budget is kept: one that was left, paused or asked something may be gone on with. */
const LEFT_MS = 365 * DAY_MS;

export function sweepDrivers(env: Environment, now: number): void {
  const state = userStateFolder(env);
  const age = (file: string): number => now - fs.statSync(file).mtimeMs;
  const names = new Set(recordNames(env));
  for (const name of names)
    quietly(() => {
      const isOld = (): boolean => isWorthless(env, name, age(below(state, recordPlace(name))));
      if (isOld()) removeUnlessDriven(env, name, isOld);
    });
  for (const name of namesOfLocks(env).filter((each) => !names.has(each)))
    quietly(() => {
      if (age(lockOf(env, name)) > OVER_MS)
        removeUnlessDriven(env, name, () => readRecord(env, name) === null);
    });
}

/** A project that is gone cannot be gone on with. What cannot be read is nobody's, and is kept as long as any. */
function isWorthless(env: Environment, name: string, age: number): boolean {
  if (age <= OVER_MS) return false;
  if (age > LEFT_MS) return true;
  const record = readRecord(env, name);
  if (record === null) return false;
  return record.ended?.why === 'completed' || record.ended?.why === 'unproven' || !fs.existsSync(record.root);
}

/** Looks once more when it is ours: a driver may have come in between. */
function removeUnlessDriven(env: Environment, name: string, isOld: () => boolean): void {
  const lock = lockOf(env, name);
  const held = tryHold(lock);
  if (held === null) return;
  try {
    if (!isOld()) return;
    saveRecord(env, name, null);
    dropEndMarks(env, recordPlace(name));
    // Whoever has it open already sees that it is gone, and does not take it for the lock.
    disk.remove(lock);
    disk.remove(`${lock}.lease`);
  } finally {
    held.release();
  }
}

/** Mere tidying: whatever is in its way is no trouble of the command that came by. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // As said above.
  }
}
