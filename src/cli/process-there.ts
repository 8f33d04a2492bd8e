// Whether the process that was meant still runs. Its number alone does not tell: it may have been given to another.

import fs from 'node:fs';
import { lookAtProcess } from '../clients/nesting.ts';

/** Asks for one process, the one that has this number now. */
export function watchProcess(pid: number): { isThere(): boolean } {
  const begun = startOf(pid);
  return {
    isThere(): boolean {
      const start = startOf(pid);
      // Where /proc does not tell, the number alone has to do.
      if (begun === null || start === null) return isRunning(pid);
      return start !== 'ended' && start === begun;
    },
  };
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
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before the last bracket may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Another user's process may not be signalled, and is there all the same. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
