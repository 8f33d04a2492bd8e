// The processes of a stage or a bench: all of them have its HOME in their environment. Only Linux shows that of another
// process; elsewhere the list is empty.

import fs from 'node:fs';

export type Running = { pid: number; command: string };

export function processesOf({ home }: { home: string }): Running[] {
  if (!fs.existsSync('/proc')) return [];
  const mark = `HOME=${home}`;
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return isOurs && command !== '' ? [{ pid: Number(pid), command }] : [];
      } catch {
        return []; // Ended meanwhile.
      }
    });
}

/** At the end of a scenario that failed half-way a client may still be there. */
export function endProcessesOf(stage: { home: string }): void {
  for (const { pid } of processesOf(stage)) endProcess(pid);
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
