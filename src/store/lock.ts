// Who may change a project's state: one process at a time, and none for longer than it lives.
// Waits, gives up, picks the kind of lock; what a lock is made of stands in kernel-lock.ts and lease-lock.ts.

import fs from 'node:fs';
import { loadKernelLock, type TryKernelLock } from './kernel-lock.ts';
import { Lease, monotonicMs, readBeginning } from './lease-lock.ts';
import { ownRecord, RENEW_MS } from './lock-owner.ts';
import { closeFolder, holdFolder, inFolder, Refused } from './open.ts';
import { folderOf, openAsOwner, privateMode } from './owner.ts';

export class LockBusy extends Error {
  override readonly name = 'LockBusy';
}

/**
 * Does `work` while holding the lock of `home`, a project's `.holdfast` folder; throws LockBusy when it could not be
 * had within `patienceMs`. Not re-entrant: `work` that calls withLock for the same home waits for itself without success.
 */
export async function withLock<T>(home: string, patienceMs: number, work: () => T | Promise<T>): Promise<T> {
  const path = `${home}/lock`;
  const contender = new Contender(path, `${home}/lease-only`, folderOf(home), 'a moment');
  try {
    await waitForTurn(contender, path, patienceMs);
    return await work();
  } finally {
    contender.leave();
  }
}

export type HeldLock = { release(): void };

/**
 * Tries once; what it returns is held until released or until this process dies. Null: another lives and holds it.
 * `root`: the real path that the lock's folder may not lead out of.
 */
export function tryHold(path: string, root = folderOf(path)): HeldLock | null {
  const contender = new Contender(path, leaseFolder(path), root, 'long');
  let isHeld = false;
  try {
    isHeld = contender.tryTake();
  } finally {
    if (!isHeld) contender.leave();
  }
  return isHeld ? { release: () => contender.leave() } : null;
}

const MOST_BETWEEN_TRIES_MS = 60;

/** Asks again and again, sleeping in between so that signal handlers run. */
async function waitForTurn(contender: Contender, path: string, patienceMs: number): Promise<void> {
  if (contender.tryTake()) return;
  const begin = monotonicMs();
  do {
    const waited = monotonicMs() - begin;
    const left = patienceMs - waited;
    if (left <= 0) {
      throw new LockBusy(
        `Another Holdfast process still holds ${path} after ${patienceMs} ms; try again when it has ended (lsof shows who has the file open).`,
      );
    }
    // Uneven, so that the same contender does not come too late each time; longer after a long wait, because then
    // many wait, and their asking takes the processor from the holder.
    const longest = Math.min(MOST_BETWEEN_TRIES_MS, 4 + waited / 8);
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, 1 + Math.random() * longest)));
  } while (!contender.tryTake());
}

/** How long the lock will be held: for some writes, or for as long as a reviewer works. */
type Hold = 'a moment' | 'long';

/**
 * One process's wish for one lock, by the kernel's lock where it can be had, else by the lease. The two kinds know of
 * each other so: who can only use the lease puts down the `marker` and then looks for a note in the lock file; who has
 * the kernel's lock writes that note and then looks for the marker, and takes the lease as well when it is there. One
 * of two that come at the same time always sees the other.
 */
class Contender {
  readonly #path: string;
  readonly #marker: string;
  readonly #root: string;
  readonly #hold: Hold;
  #tryKernelLock: TryKernelLock | null;
  #file: LockFile | null = null;
  #hasKernelLock = false;
  #hasNote = false;
  #lease: Lease | null = null;
  #renewal: NodeJS.Timeout | null = null;

  constructor(path: string, marker: string, root: string, hold: Hold) {
    this.#path = path;
    this.#marker = marker;
    this.#root = root;
    this.#hold = hold;
    this.#tryKernelLock = process.env.HOLDFAST_LOCK === 'lease' ? null : loadKernelLock();
  }

  tryTake(): boolean {
    this.#file ??= openLockFile(this.#path, this.#root);
    if (!this.#hasKernelLock && !this.#tryKernel(this.#file)) return false;
    const isTaken = this.#hasKernelLock
      ? this.#takeLeaseIfNeeded(this.#file)
      : this.#takeLeaseAlone(this.#file);
    // Held for a moment, it is given back before a first renewal would be due.
    if (isTaken && (this.#hold === 'long' || this.#lease !== null))
      this.#renewal = setInterval(() => this.#renew(), RENEW_MS).unref();
    return isTaken;
  }

  leave(): void {
    if (this.#renewal !== null) clearInterval(this.#renewal);
    this.#renewal = null;
    try {
      this.#lease?.leave();
      if (this.#file !== null && this.#hasNote) clearNote(this.#file);
    } finally {
      this.#closeFile();
    }
  }

  /** False: busy. True: we have the kernel's lock, or there is none to be had here. */
  #tryKernel(file: LockFile): boolean {
    const answer = this.#tryKernelLock?.(file.descriptor) ?? 'unsupported';
    if (answer === 'busy') return false;
    if (answer === 'unsupported') {
      this.#tryKernelLock = null;
      return true;
    }
    // Somebody removed or replaced the file while we waited: what we have locked is no longer the lock.
    if (fs.lstatSync(this.#path, { throwIfNoEntry: false })?.ino !== file.inode) {
      this.#closeFile();
      return false;
    }
    this.#hasKernelLock = true;
    return true;
  }

  #takeLeaseIfNeeded(file: LockFile): boolean {
    if (!exists(this.#marker)) {
      writeNote(file);
      this.#hasNote = true;
      if (!exists(this.#marker)) return true;
    }
    // The kernel's lock is kept while waiting for the lease: the others of our kind queue behind us.
    clearNote(file);
    this.#hasNote = false;
    this.#lease ??= new Lease(leaseFolder(this.#path), this.#root);
    return this.#lease.tryTake(file.inode);
  }

  #takeLeaseAlone(file: LockFile): boolean {
    if (this.#lease === null) {
      this.#lease = new Lease(leaseFolder(this.#path), this.#root);
      leaveMarker(this.#marker, this.#root);
    }
    if (!this.#lease.tryTake(null)) return false;
    const note = readNote(file);
    if (note.record === '' || this.#lease.outlives(note.record, note.writtenMs)) return true;
    this.#lease.giveBack();
    return false;
  }

  #renew(): void {
    try {
      this.#lease?.renew();
      if (this.#file !== null && this.#hasNote) writeNote(this.#file);
    } catch {
      // A full or vanished disk: the lock may lapse for other processes, and the next write will say what is wrong.
    }
  }

  #closeFile(): void {
    if (this.#file !== null) fs.closeSync(this.#file.descriptor);
    this.#file = null;
    this.#hasKernelLock = false;
    this.#hasNote = false;
  }
}

// For a lock of its own (tryHold) this folder is also the marker.
function leaseFolder(path: string): string {
  return `${path}.lease`;
}

function exists(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function leaveMarker(path: string, root: string): void {
  if (exists(path)) return;
  try {
    const descriptor = openInHeld(path, root, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    fs.writeSync(descriptor, 'A process here could not use kernel locks, so all take the lease as well.\n');
    fs.closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

type LockFile = { descriptor: number; inode: number };

const { O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

// Node adds O_CLOEXEC: a reviewer we start does not inherit the lock. O_NONBLOCK: a FIFO must not make us wait.
function openLockFile(path: string, root: string): LockFile {
  let descriptor: number;
  try {
    descriptor = openInHeld(path, root, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !NOT_A_FILE.has(code)) throw error;
    throw new Refused(notALockFile(path), { cause: error });
  }
  const status = fs.fstatSync(descriptor);
  // What is written and emptied under a second name may be a file of the user's that lies elsewhere.
  if (status.isFile() && status.nlink <= 1) return { descriptor, inode: status.ino };
  fs.closeSync(descriptor);
  const what = status.isFile() ? `one of ${status.nlink} names of the same file` : undefined;
  throw new Refused(notALockFile(path, what));
}

/** An agent may write beside it: a folder that is swapped for a link meanwhile gets no lock of ours. */
function openInHeld(path: string, root: string, flags: number): number {
  const folder = holdFolder(folderOf(path), root);
  try {
    const place = `${folder.way}${path.slice(path.lastIndexOf('/'))}`;
    return inFolder(folder, () => openAsOwner(place, flags, privateMode(folder.way)));
  } finally {
    closeFolder(folder);
  }
}

/** What open says to a symlink (ELOOP; EMLINK on BSD), a folder and a socket. */
const NOT_A_FILE = new Set(['ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', 'EOPNOTSUPP']);

function notALockFile(path: string, what = 'not a regular file'): string {
  return `${path} is ${what}, and Holdfast keeps a lock there; move it away.`;
}

function writeNote(file: LockFile): void {
  fs.writeSync(file.descriptor, ownRecord(file.inode), 0);
}

function clearNote(file: LockFile): void {
  fs.ftruncateSync(file.descriptor, 0);
}

function readNote(file: LockFile): { record: string; writtenMs: number } {
  const { mtimeMs } = fs.fstatSync(file.descriptor);
  return { record: readBeginning(file.descriptor), writtenMs: mtimeMs };
}
