// Which process is meant by a record: its number alone does not tell, since it may have been given to another.

import fs from 'node:fs';
import type { OwnProcess } from './record.ts';

export function processWith(pid: number): OwnProcess {
  return { pid, start: startOf(pid) };
}

/** Does that very process still run? */
export function isThere({ pid, start }: OwnProcess): boolean {
  const found = startOf(pid);
  if (found === 'ended') return false;
  if (start !== null && found !== null) return found === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
