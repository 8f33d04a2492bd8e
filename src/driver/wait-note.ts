// Writes down that the run waits for a limit or an error to pass, as the hook does where the client calls it: the run's
// own clock stands still meanwhile, and `status` shows it.

import { COMMAND_PATIENCE_MS } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import { isOver } from '../engine/waiting/clock.ts';
import { beginWait } from '../engine/waiting/on-record.ts';
import { withLock } from '../store/lock.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import type { Say } from './types.ts';

/** Never fails: what could not be noted costs the run some of its age, and no more. */
export async function noteWait(
  project: Project,
  run: string | null,
  say: Say | 'first',
  until: number,
): Promise<void> {
  if (run === null) return;
  const what = say === 'after-limit' ? 'rate_limit' : 'server_error';
  try {
    await withLock(project.home, COMMAND_PATIENCE_MS, () => {
      const sidecar = readSidecar(project.root, run);
      const { waiting } = sidecar;
      const { now } = project;
      // A question stays; that the client took no more holds after its last prompt does not matter any more.
      if (waiting?.for === 'person' && !waiting.capped && !isOver(waiting, now)) return;
      const isSame = waiting?.for === 'limit' && waiting.reviewer === undefined && !isOver(waiting, now);
      const next = isSame
        ? { ...sidecar, waiting: { ...waiting, until } }
        : beginWait(sidecar, { for: 'limit', since: now, until, what }, now);
      writeSidecar(project.root, next);
    });
  } catch {
    // As said above.
  }
}
