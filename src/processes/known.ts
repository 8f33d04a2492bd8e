// Whether the process that was meant still runs. Its number alone does not tell: it may have been given to another.

import { lookAtProcess } from '../clients/nesting.ts';
import { isRunning, startIn } from '../store/lock-owner.ts';
import { readSystem } from '../store/open.ts';

/** `start`: when it began, in the system's own count, so that its number given to another is not taken for it. */
export type KnownProcess = { pid: number; start: string | null };

/** The one that has this number now. */
export function processWith(pid: number): KnownProcess {
  return { pid, start: startOf(pid) };
}

/** Does that very process still run? Where /proc does not tell, the number alone has to do. */
export function isThere({ pid, start }: KnownProcess): boolean {
  const found = startOf(pid);
  if (found === 'ended') return false;
  return start === null || found === null ? isRunning(pid) : found === start;
}

/** Ourselves, or a process above us: none of them ends while it waits for this command. */
export function isAbove(pid: number): boolean {
  let above = process.ppid;
  if (pid === process.pid || pid === above) return true;
  for (let step = 0; step < 64 && above > 1; step++) {
    above = lookAtProcess(above)?.parent ?? 0;
    if (pid === above) return true;
  }
  return false;
}

/** In clock ticks since boot; `ended` for one that nobody has collected yet, null where /proc does not tell. */
function startOf(pid: number): string | null {
  try {
    return startIn(readSystem(`/proc/${pid}/stat`));
  } catch {
    return null;
  }
}
