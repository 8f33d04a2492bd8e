// Ends a reviewer and everything it started, also what left its process group (`setsid`).

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const GRACE_MS = 700;

/** Marks every process of an attempt, whatever group or session it moves to. */
export const ATTEMPT_VARIABLE = 'HOLDFAST_ATTEMPT';

/**
 * SIGINT first (Claude ends its own children on INT, not on TERM), SIGKILL for what is left after 700 ms.
 * Without a leader, what a dead hook left behind is found by its mark alone: a pid may be someone else's by now.
 */
export async function endReviewer(attempt: string, leader: number | null): Promise<void> {
  // Listed before anything is signalled: a child of a dead parent can no longer be found through it.
  const family = new Set(marked(attempt));
  if (leader !== null) for (const pid of [leader, ...descendantsOf(leader)]) family.add(pid);
  if (leader !== null) signal(-leader, 'SIGINT');
  for (const pid of family) signal(pid, 'SIGINT');
  const deadline = Date.now() + GRACE_MS;
  while ([...family].some(isAlive) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (leader !== null) signal(-leader, 'SIGKILL');
  for (const pid of family) signal(pid, 'SIGKILL');
}

/** Only Linux shows another process's environment; elsewhere the reviewer's own watch on us must do. */
function marked(attempt: string): number[] {
  const mark = `${ATTEMPT_VARIABLE}=${attempt}`;
  return processIds().filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
    } catch {
      return false; // Ended meanwhile, or not ours to read.
    }
  });
}

function descendantsOf(leader: number): number[] {
  const parents = parentsOfAll();
  const found = new Set([leader]);
  // Each pass finds one generation more; a tree deeper than the process table cannot be.
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(leader);
  return [...found];
}

function parentsOfAll(): [pid: number, parent: number][] {
  const pids = processIds();
  if (pids.length === 0) return parentsFromPs();
  return pids.flatMap((pid): [number, number][] => {
    const parent = parentFromProc(pid);
    return parent === null ? [] : [[pid, parent]];
  });
}

function processIds(): number[] {
  try {
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // macOS has no /proc.
  }
}

function parentFromProc(pid: number): number | null {
  try {
    const status = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so count from its end: state, then parent.
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null; // Ended meanwhile.
  }
}

function parentsFromPs(): [number, number][] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8', timeout: 500 });
  return table.split('\n').flatMap((line): [number, number][] => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined ? [] : [[pid, parent]];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** A zombie has ended; its parent has just not looked yet. */
function isZombie(pid: number): boolean {
  try {
    const status = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // Already gone.
  }
}
