// Reading and writing files so that a reader never sees half a write and nothing outside the project is
// ever written. Carries out the writes of a commit; decides nothing.

import fs from 'node:fs';
import path from 'node:path';
import { deniedName } from './denied-names.ts';
import { disk } from './disk.ts';
import {
  assertInside,
  closeFolder,
  type Folder,
  hasCode,
  inFolder,
  openFolder,
  openFolderIn,
  openInside,
  Refused,
  readAll,
  realPath,
} from './open.ts';
import type { Write } from './writes.ts';

export { hasCode, isInside, Refused, realPath } from './open.ts';

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
export function replaceFile(file: string, content: string | Buffer, root: string, mode?: number): void {
  const staged = stageFile(file, content, root, mode);
  try {
    disk.sync(staged.descriptor);
    putInPlace(staged);
    disk.syncFolder(staged.folder.descriptor);
  } finally {
    forget(staged);
  }
}

/** The same without waiting for the disk, and through no link in the file's own place: for what is worth less than that. */
export function putFile(file: string, content: string | Buffer, root: string, mode?: number): void {
  const staged = stageFile(file, content, root, mode, false);
  try {
    putInPlace(staged);
  } finally {
    forget(staged);
  }
}

/** A file all but written: its content lies in a temp file beside its target, not yet synced. */
export type Staged = {
  readonly descriptor: number;
  /** Held until `forget`. */
  readonly folder: Folder;
  readonly temporary: string;
  readonly name: string;
  isOpen: boolean;
  isInPlace: boolean;
};

/** The caller's to forget. */
export function stageFile(
  file: string,
  content: string | Buffer,
  root: string,
  mode?: number,
  throughLink = true,
): Staged {
  const { folder, name, mode: known } = openPlace(file, root, throughLink);
  const temporary = `.${name}.${process.pid}.${uniqueSuffix()}.tmp`;
  try {
    return inFolder(folder, () => {
      const place = `${folder.way}/${temporary}`;
      const kept = mode === undefined ? known : undefined;
      const descriptor = disk.createNew(place, mode ?? kept ?? 0o666);
      try {
        // The umask is for new files; one that was there keeps the mode its owner gave it.
        if (kept !== undefined) disk.setMode(descriptor, kept);
        disk.writeAll(descriptor, content);
      } catch (error) {
        disk.close(descriptor);
        removeQuietly(place);
        throw error;
      }
      return { descriptor, folder, temporary, name, isOpen: true, isInPlace: false };
    });
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

export function putInPlace(staged: Staged): void {
  const { folder, temporary, name } = staged;
  close(staged);
  inFolder(folder, () => disk.rename(`${folder.way}/${temporary}`, `${folder.way}/${name}`));
  staged.isInPlace = true;
}

/** Whether or not it came to its place. */
export function forget(staged: Staged): void {
  const { folder, temporary, isInPlace } = staged;
  try {
    close(staged);
    if (!isInPlace) removeQuietly(`${folder.way}/${temporary}`);
  } finally {
    closeFolder(folder);
  }
}

function close(staged: Staged): void {
  if (!staged.isOpen) return;
  staged.isOpen = false;
  disk.close(staged.descriptor);
}

/** With those above it that are missing; what is there already is left as it is. */
export function makeFolderInside(folder: string, root: string): void {
  closeFolder(openOrMake(withoutDots(folder), folder, root));
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
  const { folder, name } = openPlace(file, root);
  try {
    const descriptor = inFolder(folder, () => disk.openAppend(`${folder.way}/${name}`, mode));
    try {
      const found = fs.fstatSync(descriptor);
      if (!found.isFile()) throw new Refused(`${file} is not a regular file`, { file });
      // A second name of a file that lies elsewhere is no link, and leads out all the same.
      if (found.nlink > 1)
        throw new Refused(`${file} is one of ${found.nlink} names of the same file and is not appended to`, {
          file,
        });
      disk.writeAll(descriptor, `${endsTorn(descriptor) ? '\n' : ''}${line}\n`);
      return descriptor;
    } catch (error) {
      disk.close(descriptor);
      throw error;
    }
  } finally {
    closeFolder(folder);
  }
}

/** Text of a regular file, or null when there is none. Links that leave the root, FIFOs and devices are refused. */
export function readInside(file: string, root: string, limit = 64 * 1024 * 1024): string | null {
  const descriptor = openInside(file, root);
  if (descriptor === null) return null;
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size > limit)
      throw new Refused(`${file} is ${size} bytes long, more than the ${limit} that are read`);
    return readAll(descriptor).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The machine's trouble, not the file's: it may be over at the next stop, so the file must not count as missing or broken. */
export function isPassing(error: unknown): boolean {
  return hasCode(error, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM');
}

/** Nothing more can be written there; what is there can be read. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}

/** The rights or the disk do not let us: no matter of this moment, and a person has to change it. */
export function isDenied(error: unknown): boolean {
  return hasCode(error, 'EACCES', 'EPERM', 'EROFS') || (error instanceof Refused && isDenied(error.cause));
}

function removeInside(file: string, root: string): void {
  const entry = openEntry(file, root);
  if (entry === null) return;
  try {
    inFolder(entry.folder, () => disk.remove(`${entry.folder.way}/${entry.name}`));
  } finally {
    closeFolder(entry.folder);
  }
}

function moveInside(from: string, to: string, root: string): void {
  const source = openEntry(from, root);
  if (source === null) return;
  try {
    const target = openPlace(to, root);
    try {
      const places = [source, target].map(({ folder, name }) => `${folder.way}/${name}`);
      inFolder(source.folder, () =>
        inFolder(target.folder, () => disk.rename(places[0] ?? '', places[1] ?? '')),
      );
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    } finally {
      closeFolder(target.folder);
    }
  } finally {
    closeFolder(source.folder);
  }
}

type Entry = { folder: Folder; name: string };

/** The entry itself, never what a link in its place points to: only its folder must be inside. Null: there is no folder. */
function openEntry(file: string, root: string): Entry | null {
  const asked = withoutDots(file);
  const folder = openFolder(path.dirname(asked));
  if (folder === null) return null;
  const name = path.basename(asked);
  try {
    assertInside(folder.real, file, root);
    assertNotDenied(`${folder.real}/${name}`, file, root);
    return { folder, name };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/** Where a write to `file` really lands, its folder made if need be and held on to. Refused when that is outside the root. */
function openPlace(file: string, root: string, throughLink = true): Entry & { mode: number | undefined } {
  // Resolved first: a last part of `..` must not lead out after its folder was found to be inside.
  const asked = withoutDots(file);
  let folder = openOrMake(path.dirname(asked), file, root);
  try {
    let name = path.basename(asked);
    let found = statIn(folder, name);
    if (found?.isSymbolicLink()) {
      if (!throughLink) throw new Refused(`${file} is a link and is not written through`, { file });
      const real = linkTarget(folder, name);
      assertInside(real, file, root);
      assertNotDenied(real, file, root);
      const target = openFolder(path.dirname(real));
      if (target === null || target.real !== path.dirname(real)) throw moved(file);
      closeFolder(folder);
      folder = target;
      name = path.basename(real);
      found = statIn(folder, name);
      if (found?.isSymbolicLink()) throw moved(file);
    }
    assertNotDenied(`${folder.real}/${name}`, file, root);
    return { folder, name, mode: found && found.mode & 0o777 };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/** The nearest folder that is there, and those below it made one by one, each held on to while the next is made. */
function openOrMake(wanted: string, shown: string, root: string): Folder {
  const missing: string[] = [];
  let folder = openFolder(wanted);
  for (let above = wanted; folder === null; folder = openFolder(above)) {
    if (above === path.dirname(above)) throw new Refused(`${wanted} cannot be reached`);
    missing.unshift(path.basename(above));
    above = path.dirname(above);
  }
  try {
    assertInside(folder.real, shown, root);
    assertNotDenied(folder.real, shown, root, true);
    for (const name of missing) {
      assertNotDenied(`${folder.real}/${name}`, shown, root, true);
      const next = makeIn(folder, name);
      if (next === null) throw moved(shown);
      closeFolder(folder);
      folder = next;
    }
    return folder;
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

function makeIn(folder: Folder, name: string): Folder | null {
  return inFolder(folder, () => {
    try {
      disk.makeNewFolder(`${folder.way}/${name}`, 0o777);
    } catch (error) {
      // Another process of ours may have been first.
      if (!hasCode(error, 'EEXIST')) throw error;
      return openFolderIn(folder, name) ?? raise(error);
    }
    return openFolderIn(folder, name);
  });
}

function raise(error: unknown): never {
  throw error;
}

const moved = (file: string): Refused =>
  new Refused(`${file} was moved while it was looked at and is left alone`);

function statIn({ way }: Folder, name: string): fs.Stats | undefined {
  return fs.lstatSync(`${way}/${name}`, { throwIfNoEntry: false });
}

/** A link to nowhere is refused: it could lead anywhere. */
function linkTarget(folder: Folder, name: string): string {
  const real = realPath(`${folder.way}/${name}`);
  if (real !== null) return real;
  const place = `${folder.real}/${name}`;
  throw new Refused(`${place} is a link to nowhere and is not written through`, { file: place });
}

/** As path.resolve, which is slow, and which a path without empty, `.` and `..` parts does not need. */
function withoutDots(file: string): string {
  return file.startsWith('/') && !/\/\.{0,2}(\/|$)/.test(file) ? file : path.resolve(file);
}

/**
 * A repository or an agent can make a link that stays inside and leads to where files are run as programs, or make us
 * move such a file away. `.claude` itself is made for what workflows keep in it.
 */
function assertNotDenied(real: string, shown: string, root: string, isOnTheWay = false): void {
  const place = real.slice(root.length);
  if (`/${place}/`.toLowerCase().includes('/.git/'))
    throw new Refused(`${shown} leads into .git and is left alone`);
  const denied = deniedName(place);
  if (denied === null || (isOnTheWay && place.endsWith(`/${denied}`) && denied === '.claude')) return;
  throw new Refused(`${shown} leads to ${denied}, which no agent may write, and is left alone`);
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
