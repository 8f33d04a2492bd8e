// One driver per run: a lock of the kernel's that its process holds for as long as it lives. A second says who has it.

import fs from 'node:fs';
import { NotNow } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { type HeldLock, tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { type DriverRecord, readRecord } from './record.ts';

/** Refused where another process drives it. `name` is the record's. */
export function holdRun(env: Environment, name: string, run: string): HeldLock {
  const held = tryHold(lockOf(env, name));
  if (held !== null) return held;
  throw new NotNow(
    `${run} is driven already${driverOf(readRecord(env, name))}. It can be driven by one at a time.`,
  );
}

/** Asks only. */
export function isDriven(env: Environment, name: string): boolean {
  const held = tryHold(lockOf(env, name));
  held?.release();
  return held === null;
}

export function lockOf(env: Environment, name: string): string {
  return below(makeUserFolder(env), `driver-${name}.lock`);
}

/** Of all locks that are there, the names of their records. */
export function namesOfLocks(env: Environment): string[] {
  return fs.readdirSync(makeUserFolder(env)).flatMap((file) => /^driver-(.+)\.lock$/.exec(file)?.[1] ?? []);
}

/** In words; empty: nobody knows. */
export function driverOf(record: DriverRecord | null): string {
  if (record === null) return '';
  const since = new Date(record.startedAt).toISOString().slice(0, 16).replace('T', ' ');
  return ` by process ${record.driver.pid} (\`holdfast run\`, asked for at ${since} UTC: ${record.asked})`;
}
