// Reading and writing files so that a reader never sees half a write and nothing outside the project is
// ever written. Carries out the writes of a commit; decides nothing.

import fs from 'node:fs';
import path from 'node:path';
import { disk } from './disk.ts';
import { below } from './paths.ts';
import type { Write } from './writes.ts';

/** A file or folder that must not be written, or cannot be read; the message is fit for a user. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The place it is about, where what is wrong with it can be seen there. */
  readonly file: string | undefined;

  constructor(message: string, options: ErrorOptions & { file?: string } = {}) {
    super(message, options);
    this.file = options.file;
  }
}

/** Carries out one write. `root` is the real path of the folder that nothing may leave. */
export function carryOut(write: Write, root: string): void {
  switch (write.kind) {
    case 'replace':
      replaceFile(write.path, write.content, root, write.mode);
      break;
    case 'append':
      appendLine(write.path, write.line, root);
      break;
    case 'remove':
      removeInside(write.path, root);
      break;
    case 'move':
      moveInside(write.from, write.to, root);
      break;
  }
}

/** Temp file in the same folder, write, fsync, rename, fsync of the folder: whole before or whole after. */
export function replaceFile(file: string, content: string, root: string, mode?: number): void {
  const { descriptor, temporary, target } = stageFile(file, content, root, mode);
  try {
    try {
      disk.sync(descriptor);
    } finally {
      disk.close(descriptor);
    }
    disk.rename(temporary, target);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  disk.syncFolder(path.dirname(target));
}

/** A file all but written: its content lies in a temp file beside its target, not yet synced. */
export type Staged = { descriptor: number; temporary: string; target: string };

export function stageFile(file: string, content: string, root: string, mode?: number): Staged {
  const target = resolveInside(file, root);
  const temporary = below(
    path.dirname(target),
    `.${path.basename(target)}.${process.pid}.${uniqueSuffix()}.tmp`,
  );
  const kept = mode === undefined ? modeOf(target) : undefined;
  const descriptor = disk.createNew(temporary, mode ?? kept ?? 0o666);
  try {
    // The umask is for new files; one that was there keeps the mode its owner gave it.
    if (kept !== undefined) disk.setMode(descriptor, kept);
    disk.writeAll(descriptor, content);
  } catch (error) {
    disk.close(descriptor);
    removeQuietly(temporary);
    throw error;
  }
  return { descriptor, temporary, target };
}

type AppendOptions = { mode?: number; durable?: boolean };

/** One write call, so that concurrent appenders never interleave; a torn last line is ended first. */
export function appendLine(file: string, line: string, root: string, options: AppendOptions = {}): void {
  const descriptor = appendUnsynced(file, line, root, options.mode);
  try {
    if (options.durable !== false) disk.sync(descriptor);
  } finally {
    disk.close(descriptor);
  }
}

/** The line is written; the descriptor is the caller's to sync and close. */
export function appendUnsynced(file: string, line: string, root: string, mode = 0o666): number {
  const descriptor = disk.openAppend(resolveInside(file, root), mode);
  try {
    if (!fs.fstatSync(descriptor).isFile()) throw new Refused(`${file} is not a regular file`, { file });
    disk.writeAll(descriptor, `${endsTorn(descriptor) ? '\n' : ''}${line}\n`);
    return descriptor;
  } catch (error) {
    disk.close(descriptor);
    throw error;
  }
}

/** Text of a regular file, or null when there is none. Links that leave the root, FIFOs and devices are refused. */
export function readInside(file: string, root: string, limit = 64 * 1024 * 1024): string | null {
  const real = realPath(file);
  if (real === null) return null;
  assertInside(real, file, root);
  const descriptor = openRegular(real, file);
  if (descriptor === null) return null;
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size > limit)
      throw new Refused(`${file} is ${size} bytes long, more than the ${limit} that are read`);
    return fs.readFileSync(descriptor, 'utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Opens a regular file for reading without waiting on a FIFO; null when there is none. */
export function openRegular(real: string, shown = real): number | null {
  let descriptor: number;
  try {
    descriptor = fs.openSync(real, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new Refused(`${shown} is not a regular file`, { file: shown });
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** The machine's trouble, not the file's: it may be over at the next stop, so the file must not count as missing or broken. */
export function isPassing(error: unknown): boolean {
  return hasCode(error, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM');
}

/** The rights or the disk do not let us: no matter of this moment, and a person has to change it. */
export function isDenied(error: unknown): boolean {
  return hasCode(error, 'EACCES', 'EPERM', 'EROFS') || (error instanceof Refused && isDenied(error.cause));
}

/** The path with every link followed; null when nothing is there. */
export function realPath(file: string): string | null {
  try {
    return fs.realpathSync.native(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

export function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function removeInside(file: string, root: string): void {
  // The entry itself goes, never what a link points to: only its folder must be inside.
  const entry = withoutDots(file);
  const folder = realPath(path.dirname(entry));
  if (folder === null) return;
  const place = path.join(folder, path.basename(entry));
  assertInside(folder, file, root);
  assertNotGits(place, file, root);
  disk.remove(place);
}

function moveInside(from: string, to: string, root: string): void {
  const entry = withoutDots(from);
  const source = realPath(path.dirname(entry));
  if (source === null) return;
  assertInside(source, from, root);
  assertNotGits(path.join(source, path.basename(entry)), from, root);
  const target = resolveInside(to, root);
  try {
    disk.rename(path.join(source, path.basename(entry)), target);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Where a write to `file` really lands, its folder made if need be. Refused when that is outside the root. */
function resolveInside(file: string, root: string): string {
  // Resolved first: a last part of `..` must not lead out after its folder was found to be inside.
  const asked = withoutDots(file);
  const known = nearestExisting(path.dirname(asked));
  assertInside(known.real, file, root);
  assertNotGits(known.real, file, root);
  const folder = known.missing === '' ? known.real : path.join(known.real, known.missing);
  if (known.missing !== '') disk.makeFolder(folder);
  const place = below(folder, path.basename(asked));
  const target = linkTarget(place) ?? place;
  assertInside(target, file, root);
  assertNotGits(target, file, root);
  return target;
}

/** As path.resolve, which is slow, and which a path without empty, `.` and `..` parts does not need. */
function withoutDots(file: string): string {
  return file.startsWith('/') && !/\/\.{0,2}(\/|$)/.test(file) ? file : path.resolve(file);
}

function nearestExisting(folder: string): { real: string; missing: string } {
  let missing = '';
  for (let current = folder; ; current = path.dirname(current)) {
    const real = realPath(current);
    if (real !== null) return { real, missing };
    if (current === path.dirname(current)) throw new Refused(`${folder} cannot be reached`);
    missing = path.join(path.basename(current), missing);
  }
}

/** Where the link at `place` leads; null when it is no link. A link to nowhere is refused: it could lead anywhere. */
function linkTarget(place: string): string | null {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink()) return null;
  const real = realPath(place);
  if (real === null)
    throw new Refused(`${place} is a link to nowhere and is not written through`, { file: place });
  return real;
}

function assertInside(real: string, shown: string, root: string): void {
  if (!isInside(real, root)) throw new Refused(`${shown} leads out of ${root} and is left alone`);
}

/** A repository can bring a link that stays inside and leads into `.git`, where files are run as programs. */
function assertNotGits(real: string, shown: string, root: string): void {
  if (`/${real.slice(root.length)}/`.includes('/.git/'))
    throw new Refused(`${shown} leads into .git and is left alone`);
}

function modeOf(target: string): number | undefined {
  const found = fs.lstatSync(target, { throwIfNoEntry: false });
  return found === undefined ? undefined : found.mode & 0o777;
}

function endsTorn(descriptor: number): boolean {
  const { size } = fs.fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.allocUnsafe(1);
  fs.readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

export function removeQuietly(file: string): void {
  try {
    disk.remove(file);
  } catch {
    // The first error is the one worth telling.
  }
}

/** Unlikely to be taken, which is enough: O_EXCL refuses a taken name. */
function uniqueSuffix(): string {
  return Math.random().toString(36).slice(2, 14);
}

/** When a file was last changed, in milliseconds; 0 for none, and for a link that goes in circles. */
export function changedAt(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
