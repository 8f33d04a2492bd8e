// One driver per run: a lock of the kernel's that its process holds for as long as it lives. A second says who has it.

import { NotNow } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { type HeldLock, tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { type DriverRecord, readRecord } from './record.ts';

/** Refused where another process drives it. `name` is the record's. */
export function holdRun(env: Environment, name: string, run: string): HeldLock {
  const held = tryHold(below(makeUserFolder(env), `driver-${name}.lock`));
  if (held !== null) return held;
  throw new NotNow(
    `${run} is driven already${whose(readRecord(env, name))}. It can be driven by one at a time.`,
  );
}

/** Asks only. */
export function isDriven(env: Environment, name: string): boolean {
  const held = tryHold(below(makeUserFolder(env), `driver-${name}.lock`));
  held?.release();
  return held === null;
}

function whose(record: DriverRecord | null): string {
  if (record === null) return '';
  const since = new Date(record.startedAt).toISOString().slice(0, 16).replace('T', ' ');
  return ` by process ${record.driver.pid} (\`holdfast run\`, asked for at ${since} UTC: ${record.asked})`;
}
