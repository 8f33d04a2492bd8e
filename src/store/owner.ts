// Whose a new file is, and who may read it. Root that works in another user's folder (a devcontainer, sudo) gives what
// it makes there to that user, who could otherwise not use it again; and notes that are private by default are open to
// a group whose folder was shared with it on purpose.

import fs from 'node:fs';
import { closeFolder, descriptorIn, hasCode, openAt, openFolder } from './open.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/** Opens as fs.openSync does; what root creates in another user's folder belongs to that user. */
export function openAsOwner(path: string, flags: number, mode: number): number {
  const folder = isRoot() ? openOthersFolder(folderOf(path)) : null;
  if (folder === null) return openAt(path, flags, mode);
  try {
    return openIn(folder, `${folder.way}/${path.slice(path.lastIndexOf('/') + 1)}`, flags, mode);
  } finally {
    folder.release();
  }
}

/** With all folders above it that are missing. */
export function makeFolderAsOwner(path: string): void {
  const missing = isRoot() ? missingOnTheWay(path) : [];
  for (const folder of missing)
    try {
      makeNewFolder(folder, 0o777);
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || !isFolder(folder)) throw error;
    }
  if (missing.length === 0) fs.mkdirSync(path, { recursive: true });
}

/** One folder that is not there yet; EEXIST where something is. */
export function makeNewFolder(path: string, mode: number): void {
  const folder = isRoot() ? openOthersFolder(folderOf(path)) : null;
  if (folder === null) {
    fs.mkdirSync(path, mode);
    return;
  }
  try {
    const place = `${folder.way}/${path.slice(path.lastIndexOf('/') + 1)}`;
    fs.mkdirSync(place, mode);
    giveEmptyFolder(place, folder);
  } finally {
    folder.release();
  }
}

/** For notes that are nobody else's business: the group may use them only where it may write the folder by intent. */
export function privateMode(folder: string): number {
  try {
    const { mode, gid } = fs.statSync(folder);
    const isShared = (mode & 0o020) !== 0 && ((mode & 0o2000) !== 0 || gid !== process.getegid?.());
    // The umask has its say when the file is made.
    return isShared ? 0o660 : 0o600;
  } catch {
    return 0o600;
  }
}

type OthersFolder = { way: string; uid: number; gid: number; release(): void };

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end > 0 ? path.slice(0, end) : end === 0 ? '/' : '.';
}

/**
 * Null when it is root's own, or where a folder cannot be held on to. Its owner may put a link in its place at any
 * moment; whatever is made and given away must lie in the very folder whose owner was looked at. So it is named by
 * the open descriptor from here on.
 */
function openOthersFolder(path: string): OthersFolder | null {
  if (process.platform !== 'linux' || rootsOwn.has(path)) return null;
  const held = descriptorIn(path);
  if (held !== null) {
    const { uid, gid } = fs.fstatSync(held);
    return uid === 0 ? null : { way: path, uid, gid, release: () => {} };
  }
  const folder = quietly(() => openFolder(path));
  if (folder === null) return null; // Whoever goes on to create something there says what is wrong.
  const { uid, gid } = fs.fstatSync(folder.descriptor);
  const isNamed = descriptorIn(folder.way) !== null;
  if (uid !== 0 && isNamed) return { way: folder.way, uid, gid, release: () => closeFolder(folder) };
  closeFolder(folder);
  // A descriptor's number is another folder's a moment later.
  if (!path.startsWith('/proc/')) rootsOwn.add(path);
  return null;
}

/** Asked once: a lease opens a file for every try. */
const rootsOwn = new Set<string>();

function openIn(folder: OthersFolder, place: string, flags: number, mode: number): number {
  if ((flags & O_CREAT) === 0) return openAt(place, flags);
  if ((flags & O_EXCL) === 0) {
    const found = openExisting(place, flags & ~O_CREAT);
    if (found !== null) return found;
  }
  try {
    const descriptor = openAt(place, flags | O_EXCL, mode);
    give(descriptor, folder);
    return descriptor;
  } catch (error) {
    // Somebody else made it in between.
    if ((flags & O_EXCL) === 0 && hasCode(error, 'EEXIST')) return openAt(place, flags & ~O_CREAT);
    throw error;
  }
}

function openExisting(place: string, flags: number): number | null {
  try {
    return openAt(place, flags);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Nothing can be in what was made just now: anything else in its place is not given away. */
function giveEmptyFolder(place: string, owner: OthersFolder): void {
  const made = openFolder(place, O_NOFOLLOW);
  if (made === null) return;
  try {
    if (fs.fstatSync(made.descriptor).uid === 0 && fs.readdirSync(made.way).length === 0)
      give(made.descriptor, owner);
  } finally {
    closeFolder(made);
  }
}

function give(descriptor: number, { uid, gid }: OthersFolder): void {
  try {
    fs.fchownSync(descriptor, uid, gid);
  } catch {
    // A root without that right (a namespace, a network disk): the file is root's, as it would be without us.
  }
}

function missingOnTheWay(path: string): string[] {
  const missing: string[] = [];
  for (
    let folder = path;
    folder !== '/' && folder !== '.' && !fs.existsSync(folder);
    folder = folderOf(folder)
  )
    missing.unshift(folder);
  return missing;
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
