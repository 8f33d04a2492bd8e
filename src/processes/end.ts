// Ends a program and everything it started, also what left its process group (`setsid`) or lost its parent
// (`nohup`). Whoever was seen once as one of the family stays one: later it could not be found through a dead parent.

import { type Process, type ProcessTable, procTable, psTable, type Start } from './table.ts';

export type Family = {
  /** Who belongs to it and lives. */
  look(): Process[];
  /** Ends all of it, and all that is started meanwhile. */
  end(patience?: Patience): Promise<void>;
};

/** Milliseconds that each signal is given before the next one comes. */
export type Patience = { SIGINT: number; SIGTERM: number; SIGKILL: number };

/** Without a leader, what a dead hook left behind is found by its mark alone: a pid may be someone else's by now. */
export function endProgram(attempt: string, leader: number | null): Promise<void> {
  return familyOf(attempt, leader).end();
}

/** Of a child just started, which has its id for as long as we did not hear that it ended. Nobody older is one of it. */
export function familyOfChild(attempt: string, leader: number): Family {
  const table = procTable() ?? psTable;
  return familyOf(attempt, leader, table, table.startOf?.(leader) ?? undefined);
}

export function familyOf(
  attempt: string,
  leader: number | null,
  table: ProcessTable = procTable() ?? psTable,
  since?: Start,
): Family {
  /** By id: when it was started; null for the leader until it is seen. */
  const members = new Map<number, string | null>(leader === null ? [] : [[leader, null]]);
  const look = (): Process[] => {
    const all = listed(table, leader, since).filter(({ pid }) => pid > 1 && pid !== process.pid);
    for (const { pid, started } of all) {
      const known = members.get(pid);
      if (known === null) members.set(pid, started);
      else if (known !== undefined && known !== started) members.delete(pid); // Its id is another's now.
    }
    for (const { pid, started } of all)
      if (!members.has(pid) && table.isMarked(pid, attempt)) members.set(pid, started);
    addRelatives(members, all);
    return all.filter(({ pid }) => members.has(pid));
  };
  return { look, end: (patience) => endAll(look, leader, patience) };
}

/** Where nothing can be listed, a group that lives stands for all. */
function listed(table: ProcessTable, leader: number | null, since: Start | undefined): Process[] {
  try {
    return table.list(since);
  } catch {
    if (leader === null || !signal(-leader, 0)) return [];
    return [{ pid: leader, parent: 0, group: leader, session: null, started: 'unknown' }];
  }
}

/** Each pass finds at least one generation more, until there is none. */
function addRelatives(members: Map<number, string | null>, all: readonly Process[]): void {
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent, group, session, started } of all) {
      const belongs = members.has(parent) || members.has(group) || (session !== null && members.has(session));
      if (belongs && !members.has(pid)) members.set(pid, started);
    }
  }
}

// Claude Code gives the hook 1.5 s after SIGTERM (2.1.197), its note and its answer included.
const WITHIN_A_HOOK: Patience = { SIGINT: 350, SIGTERM: 350, SIGKILL: 350 };

/** SIGINT first: Claude Code ends its own children on INT, not on TERM (2.1.197). What a shell runs in the background ignores it. */
async function endAll(
  look: () => Process[],
  leader: number | null,
  patience: Patience = WITHIN_A_HOOK,
): Promise<void> {
  let left = look();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    const deadline = performance.now() + patience[name];
    give(name, left, leader);
    while (left.length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      left = look();
      // The last one goes to whatever turns up meanwhile.
      if (name === 'SIGKILL') give(name, left, leader);
    }
  }
}

/** To the group as well: it has those who were started since we looked. Whoever was stopped must go on to hear it. */
function give(name: NodeJS.Signals, left: readonly Process[], leader: number | null): void {
  for (const each of [name, 'SIGCONT'] as const) {
    if (leader !== null && left.some(({ group }) => group === leader)) signal(-leader, each);
    for (const { pid } of left) signal(pid, each);
  }
}

/** False: there is no such process or group. */
function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, name);
  } catch {
    return false;
  }
}
