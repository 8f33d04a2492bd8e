// Who holds a lock, in a form another process can check, and whether that holder is dead. Across pid namespaces
// (a client's sandbox) and boots a pid says nothing; there only the age of a renewed record does.

import fs from 'node:fs';
import { readPage } from './open.ts';

/** A living holder rewrites its record this often; one that cannot be judged by its pid is dead after SILENT_MS. */
export const RENEW_MS = 2_000;
const SILENT_MS = 10_000;

/** Who holds a lock, in a form another process can check. `start` is null where /proc does not tell. */
type Owner = {
  pid: number;
  start: string | null;
  boot: string;
  namespace: string;
  kernelFile: number | null;
};

/** One line, so that it may be written over a longer one: what follows the line is not read. */
export function ownRecord(kernelFile: number | null): string {
  self ??= readSelf();
  return `${JSON.stringify({ ...self, kernelFile } satisfies Owner)}\n`;
}

type Self = Omit<Owner, 'kernelFile'>;

let self: Self | undefined;

function readSelf(): Self {
  const stat = readStat('self');
  return {
    pid: process.pid,
    // In a new pid namespace with the old /proc still mounted, the pids under /proc are other processes than ours.
    start: stat.startsWith(`${process.pid} `) ? startIn(stat) : null,
    boot: readOr('', () => readPage('/proc/sys/kernel/random/boot_id', Buffer.allocUnsafe(1024)).trim()),
    namespace: readOr('', () => fs.readlinkSync('/proc/self/ns/pid')),
  };
}

/** Whether a record's owner is dead; `silentForMs` tells how long ago it was renewed, asked for only when needed. */
export function isAbandoned(record: string, kernelFile: number | null, silentForMs: () => number): boolean {
  // Also from the future: a clock that was set back must not keep a dead owner's lease for as long.
  const isSilent = () => Math.abs(silentForMs()) > SILENT_MS;
  const owner = parseOwner(record);
  if (owner === null) return isSilent();
  self ??= readSelf();
  if (owner.boot !== self.boot) return isSilent();
  // It held the kernel's lock together with this lease, and now we hold that lock.
  if (kernelFile !== null && owner.kernelFile === kernelFile) return true;
  if (owner.namespace !== self.namespace) return isSilent();
  if (owner.start !== null && self.start !== null) {
    const start = startIn(readStat(owner.pid));
    if (start !== null) return start !== owner.start;
  }
  // Without a start time a pid may have been given to another process since.
  return !isRunning(owner.pid) || isSilent();
}

function parseOwner(record: string): Owner | null {
  const line = record.slice(0, record.indexOf('\n'));
  const owner: Partial<Owner> | null = readOr(null, () => JSON.parse(line));
  if (!Number.isSafeInteger(owner?.pid) || Number(owner?.pid) <= 0) return null;
  return owner as Owner;
}

function readStat(pid: number | 'self'): string {
  return readOr('', () => readPage(`/proc/${pid}/stat`, Buffer.allocUnsafe(1024)));
}

/** A process's start in clock ticks since boot, `ended` for one not yet reaped, null when /proc does not tell. */
export function startIn(stat: string): string | null {
  if (stat === '') return null;
  // The name before the last parenthesis may hold spaces and parentheses of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
}

/** Another user's process may not be signalled, and is there all the same. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
