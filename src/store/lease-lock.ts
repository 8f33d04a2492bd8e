// A lock made of files alone, for where the kernel's cannot be had. Not for callers: they use lock.ts.
//
// The lease is a folder of numbered generations. Generation n belongs to whoever links the file `n` into being; it is
// free again when that file is empty or its owner dead, and the next owner then makes n+1. Nothing of another's is
// ever removed to take the lock, so two that judge the same owner dead cannot both get it: one link succeeds.

import fs from 'node:fs';
import { isAbandoned, ownRecord } from './lock-owner.ts';
import { closeFolder, type Folder, hasCode, holdFolder, inFolder, openFolderIn, Refused } from './open.ts';
import { folderOf, makeNewFolder, openAsOwner, privateMode } from './owner.ts';

/** An owner seen alive is not looked up in /proc again for this long: what many waiters spend, the holder lacks. */
const BELIEVED_ALIVE_MS = 50;

/** Old generations stay a while, so that a slow reader of the folder never finds it without a recent one. */
const KEPT_GENERATIONS = 8;
const FORGOTTEN_REQUEST_MS = 60_000;

/** One contender's part in a lease: it may try as often as it likes, and again after `giveBack`. */
export class Lease {
  /** Held on to: an agent may put a link in its place. */
  readonly #held: Folder;
  readonly #folder: string;
  #isLeft = false;
  readonly #mode: number;
  #request: Request | null = null;
  #owned: Request | null = null;
  #living: { record: string; untilMs: number } | null = null;

  constructor(folder: string, root: string) {
    this.#mode = privateMode(folderOf(folder));
    this.#held = holdLeaseFolder(folder, root, this.#mode === 0o600 ? 0o700 : 0o770);
    this.#folder = this.#held.way;
  }

  /** `kernelFile`: the lock file's inode number when we hold the kernel's lock on it, else null. */
  tryTake(kernelFile: number | null): boolean {
    const newest = newestGeneration(fs.readdirSync(this.#folder));
    if (newest > 0 && !this.#isFree(newest, kernelFile)) return false;

    const request = this.#writeRequest(kernelFile);
    const generation = newest + 1;
    const path = `${this.#folder}/${generation}`;
    if (!this.#link(request, path)) {
      this.#dropRequest();
      return false;
    }

    // A reader slower than KEPT_GENERATIONS others can make a generation that was long swept away.
    const names = fs.readdirSync(this.#folder);
    if (newestGeneration(names) !== generation) {
      unlink(path);
      return false;
    }
    this.#owned = request;
    this.#request = null;
    unlink(request.path);
    if (generation % KEPT_GENERATIONS === 0) this.#sweep(names, generation, request);
    return true;
  }

  /** By a write, not by utimes: the time must come from the clock of the file system, which others compare with. */
  renew(): void {
    if (this.#owned !== null) fs.writeSync(this.#owned.file, this.#owned.record, 0);
  }

  /** Whether the owner of a record in another file, last renewed at `writtenMs`, is dead. Only for a holder. */
  outlives(record: string, writtenMs: number): boolean {
    const owned = this.#owned;
    return owned !== null && isAbandoned(record, null, () => fs.fstatSync(owned.file).mtimeMs - writtenMs);
  }

  giveBack(): void {
    if (this.#owned !== null) {
      // Emptying the file needs no room on a full disk and no path that may have been moved.
      fs.ftruncateSync(this.#owned.file, 0);
      fs.closeSync(this.#owned.file);
      this.#owned = null;
    }
    this.#dropRequest();
  }

  /** Not to be tried again. */
  leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    try {
      this.giveBack();
    } finally {
      closeFolder(this.#held);
    }
  }

  #isFree(generation: number, kernelFile: number | null): boolean {
    const found = readRecord(`${this.#folder}/${generation}`);
    if (found === null) return false;
    if (found.record === '') return true;
    if (found.record === this.#living?.record && monotonicMs() < this.#living.untilMs) return false;
    const isFree = isAbandoned(found.record, kernelFile, () => {
      const { file } = this.#writeRequest(kernelFile);
      return fs.fstatSync(file).mtimeMs - found.writtenMs;
    });
    if (!isFree) this.#living = { record: found.record, untilMs: monotonicMs() + BELIEVED_ALIVE_MS };
    return isFree;
  }

  /** The file we will link as ours, freshly written, so that its time is the file system's now. */
  #writeRequest(kernelFile: number | null): Request {
    const record = ownRecord(kernelFile);
    const path = this.#request?.path ?? `${this.#folder}/request-${uniqueName()}`;
    const file = this.#request?.file ?? openAsOwner(path, NEW_FILE, this.#mode);
    this.#request = { path, file, record };
    fs.writeSync(file, record, 0);
    return this.#request;
  }

  #dropRequest(): void {
    if (this.#request === null) return;
    fs.closeSync(this.#request.file);
    unlink(this.#request.path);
    this.#request = null;
  }

  /** False: another made this generation first, or our request was swept away while this computer slept. */
  #link(request: Request, path: string): boolean {
    try {
      fs.linkSync(request.path, path);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
      const { code } = error as NodeJS.ErrnoException;
      throw new Refused(
        `Cannot lock by ${this.#held.real}${path.slice(path.lastIndexOf('/'))} (${code}): without the kernel's lock Holdfast needs a file system with hard links; move the project to one.`,
        { cause: error },
      );
    }
  }

  #sweep(names: string[], generation: number, request: Request): void {
    const now = fs.fstatSync(request.file).mtimeMs;
    for (const name of names) {
      const path = `${this.#folder}/${name}`;
      const isOld = GENERATION.test(name)
        ? Number(name) <= generation - KEPT_GENERATIONS
        : name.startsWith('request-') &&
          now - (fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > FORGOTTEN_REQUEST_MS;
      if (isOld) unlink(path);
    }
  }
}

type Request = { path: string; file: number; record: string };

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const NEW_FILE = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;

function holdLeaseFolder(folder: string, root: string, mode: number): Folder {
  const parent = holdFolder(folderOf(folder), root);
  try {
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    try {
      inFolder(parent, () => makeNewFolder(`${parent.way}/${name}`, mode));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const held = openFolderIn(parent, name);
    if (held !== null) return held;
    throw new Refused(`${folder} is not a folder, and Holdfast keeps a lock there; move it away.`);
  } finally {
    closeFolder(parent);
  }
}

// Not fs.rmSync, which looks at the file first and costs three times as much.
function unlink(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** One more can still be counted; a longer number in its place is nobody's generation. */
const GENERATION = /^\d{1,15}$/;

function newestGeneration(names: string[]): number {
  return names.reduce((newest, name) => (GENERATION.test(name) ? Math.max(newest, Number(name)) : newest), 0);
}

function readRecord(path: string): { record: string; writtenMs: number } | null {
  let file: number;
  try {
    file = openAsOwner(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { mtimeMs } = fs.fstatSync(file);
    return { record: readBeginning(file), writtenMs: mtimeMs };
  } finally {
    fs.closeSync(file);
  }
}

/** A record is one short line; what a repository put in its place may be of any length. */
const RECORD_AT_MOST = 4096;

export function readBeginning(file: number): string {
  const content = Buffer.alloc(RECORD_AT_MOST);
  return content.toString('utf8', 0, fs.readSync(file, content, 0, content.length, 0));
}

// Not from node:crypto: loading it costs a tenth of node's start, and names need only differ.
function uniqueName(): string {
  return `${process.pid}-${process.hrtime.bigint().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

// Not performance.now(): node loads its module at the first use, for more than a millisecond.
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
