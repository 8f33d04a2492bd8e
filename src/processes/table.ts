// The processes of this machine: who started whom, in which group and session, and which of them carry the mark of
// an attempt. Linux shows it in /proc, other systems by `ps`.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { ATTEMPT_VARIABLE } from '../store/environment.ts';
import { readPage, readSystem } from '../store/open.ts';

export { ATTEMPT_VARIABLE };

export type Process = {
  pid: number;
  parent: number;
  group: number;
  /** Null where the system does not tell. */
  session: number | null;
  /** Tells a process from a later one with the same id. */
  started: string;
};

/** When one of them was started: as the system counts it, and by our own uptime in seconds. */
export type Start = { pid: number; started: string; uptime: number };

export type ProcessTable = {
  /** All that live; a zombie has ended. Those that were started before `since` may be left out. */
  list(since?: Start): Process[];
  /** Of a process that was started just now, where that helps to list fewer; null: it does not. */
  startOf?(pid: number): Start | null;
  /** Was it started by the attempt, whatever group or session it moved to? Only Linux tells. */
  isMarked(pid: number, attempt: string): boolean;
};

/** Null: this system has no /proc. */
export function procTable(folder = '/proc'): ProcessTable | null {
  if (!fs.existsSync(`${folder}/self/stat`)) return null;
  return {
    list: (since) => {
      const first = since !== undefined && areYoungerAbove(folder, since) ? since.pid : 1;
      const pids = fs.readdirSync(folder).filter((name) => Number(name) >= first);
      return pids.flatMap((pid) => fromStat(folder, pid, Number(since?.started ?? 0)));
    },
    startOf: (pid) => {
      const started = startIn(readStat(folder, String(pid)) ?? '');
      return started === undefined ? null : { pid, started, uptime: process.uptime() };
    },
    isMarked: (pid, attempt) =>
      hasVariable(`${folder}/${pid}/environ`, attempt) || writesFor(`${folder}/${pid}/fd`, attempt),
  };
}

/** By the `ps` of the system: one that is first on PATH may be an agent's, in a folder of the project. */
export const psTable: ProcessTable = psTableOf('/usr/bin:/bin');

export function psTableOf(folders: string): ProcessTable {
  return { list: () => listFromPs(folders), isMarked: () => false };
}

/**
 * Ids are given out upwards, and from the bottom again when they are used up. Within a second that does not happen
 * twice, so that the last one tells whether it happened.
 */
function areYoungerAbove(folder: string, { pid, uptime }: Start): boolean {
  if (process.uptime() - uptime > 1) return false;
  try {
    const last = readSystem(`${folder}/loadavg`).trim().split(' ').at(-1);
    return Number(last) >= pid;
  } catch {
    return false;
  }
}

function fromStat(folder: string, pid: string, since: number): Process[] {
  const stat = readStat(folder, pid);
  const started = stat === null ? undefined : startIn(stat);
  if (stat === null || started === undefined || Number(started) < since) return [];
  const [state = '', parent, group, session] = fieldsOf(stat, 4);
  if (/[ZX]/.test(state)) return [];
  return [
    { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), started },
  ];
}

/** In ticks since the machine started. */
const startIn = (stat: string): string | undefined => fieldsOf(stat, 20)[19];

/** The name in parentheses may hold anything, so count from its end. */
const fieldsOf = (stat: string, count: number): string[] =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ', count);

const page = Buffer.allocUnsafe(4096);

/** All of them are read at the end of a review: `readSystem` takes twice as long. Null: ended meanwhile. */
function readStat(folder: string, pid: string): string | null {
  try {
    return readPage(`${folder}/${pid}/stat`, page);
  } catch {
    return null;
  }
}

function hasVariable(file: string, attempt: string): boolean {
  try {
    const mark = `${ATTEMPT_VARIABLE}=${attempt}`;
    return readSystem(file).split('\0').includes(mark);
  } catch {
    return false; // Ended meanwhile, or not ours to read.
  }
}

/** A child that cleaned its environment, but still prints into the files of the attempt. */
function writesFor(folder: string, attempt: string): boolean {
  return ['1', '2'].some((descriptor) => {
    try {
      const file = fs.readlinkSync(`${folder}/${descriptor}`).replace(/ \(deleted\)$/, '');
      return /\/attempts\/[0-9a-f]+-([^/]+)\/std(?:out|err)$/.exec(file)?.[1] === attempt;
    } catch {
      return false;
    }
  });
}

function listFromPs(folders: string): Process[] {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=';
  const table = execFileSync('ps', ['-axo', columns], {
    ...{ encoding: 'utf8', timeout: 2000, stdio: 'pipe' },
    env: { ...process.env, PATH: folders },
  });
  return table.split('\n').flatMap((line): Process[] => {
    const [pid, parent, group, state = 'Z', ...started] = line.trim().split(/\s+/);
    if (state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: null,
        started: started.join(' '),
      },
    ];
  });
}
