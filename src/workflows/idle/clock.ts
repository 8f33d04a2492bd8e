// A loop's own clock, by which it goes stale: it stood still while the loop waited. At a stop the engine gives it; this
// is for whoever looks from outside.

import { runName } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import { clockOf } from '../../engine/waiting/clock.ts';
import { readSidecar } from '../../store/sidecars.ts';

/** Notes that cannot be read say nothing of a wait. */
export function loopClock({ root, now }: Project, run: string | null): number {
  if (run === null) return now;
  try {
    return clockOf(readSidecar(root, runName('idle', run)), now);
  } catch {
    return now;
  }
}
