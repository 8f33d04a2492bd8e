// The processes of this machine: who started whom, in which group and session, and which of them carry the mark of
// an attempt. Linux shows it in /proc, other systems by `ps`.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export type Process = {
  pid: number;
  parent: number;
  group: number;
  /** Null where the system does not tell. */
  session: number | null;
  /** Tells a process from a later one with the same id. */
  started: string;
};

export type ProcessTable = {
  /** All that live; a zombie has ended. */
  list(): Process[];
  /** Was it started by the attempt, whatever group or session it moved to? Only Linux tells. */
  isMarked(pid: number, attempt: string): boolean;
};

/** Marks every process of an attempt: children inherit it. */
export const ATTEMPT_VARIABLE = 'HOLDFAST_ATTEMPT';

/** Null: this system has no /proc. */
export function procTable(folder = '/proc'): ProcessTable | null {
  if (!fs.existsSync(`${folder}/self/stat`)) return null;
  return {
    list: () => fs.readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? fromStat(folder, name) : [])),
    isMarked: (pid, attempt) =>
      hasVariable(`${folder}/${pid}/environ`, attempt) || writesFor(`${folder}/${pid}/fd`, attempt),
  };
}

export const psTable: ProcessTable = {
  list: listFromPs,
  isMarked: () => false,
};

function fromStat(folder: string, pid: string): Process[] {
  try {
    const stat = fs.readFileSync(`${folder}/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so count from its end.
    const [state = '', parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (/[ZX]/.test(state)) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        started: rest[15] ?? '',
      },
    ];
  } catch {
    return []; // Ended meanwhile.
  }
}

function hasVariable(file: string, attempt: string): boolean {
  try {
    const mark = `${ATTEMPT_VARIABLE}=${attempt}`;
    return fs.readFileSync(file, 'latin1').split('\0').includes(mark);
  } catch {
    return false; // Ended meanwhile, or not ours to read.
  }
}

/** A child that cleaned its environment, but still prints into the files of the attempt. */
function writesFor(folder: string, attempt: string): boolean {
  return ['1', '2'].some((descriptor) => {
    try {
      const file = fs.readlinkSync(`${folder}/${descriptor}`).replace(/ \(deleted\)$/, '');
      const ours = `/.holdfast/attempts/${attempt}/`;
      return file.endsWith(`${ours}stdout`) || file.endsWith(`${ours}stderr`);
    } catch {
      return false;
    }
  });
}

function listFromPs(): Process[] {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=';
  const table = execFileSync('ps', ['-axo', columns], { encoding: 'utf8', timeout: 2000, stdio: 'pipe' });
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
