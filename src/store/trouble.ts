// Why a file or folder of ours cannot be used, in one line, and the command that changes it. Loaded only where
// something is wrong already, or by a command that looks for it.

import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../text/message-of.ts';
import { shellQuote } from '../text/shell.ts';
import { hasCode, isInside } from './files.ts';
import { readSystem } from './open.ts';

/** `what` names the place; `fix` says what to do, its command in backticks. */
export type Trouble = { what: string; fix: string };

/** How a place is used: read only, replaced as a whole (which its folder must allow), or written in place. */
export type Use = 'read' | 'replace' | 'append';

/** Null: nothing is in the way, also where there is nothing yet. `root` is the real path of a folder above it. */
export function troubleWith(
  place: string,
  root: string,
  kind: 'file' | 'folder' | 'either',
  use: Use,
): Trouble | null {
  const names = path.relative(root, place).split(path.sep).filter(Boolean);
  let folder = root;
  for (const [position, name] of names.entries()) {
    const at = path.join(folder, name);
    const closed = denied(folder, root, fs.constants.X_OK, 'entered');
    if (closed !== null) return closed;
    const found = fs.lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return use === 'read' ? null : unwritable(folder, root);
    const astray = found.isSymbolicLink() ? troubleWithLink(at, root) : null;
    if (astray !== null) return astray;
    const isLast = position === names.length - 1;
    const wrong = troubleWithKind(at, isLast ? kind : 'folder');
    if (wrong !== null) return wrong;
    if (isLast) return troubleWithUse(at, folder, root, use);
    folder = at;
  }
  return troubleWithUse(root, path.dirname(root), root, use);
}

/** The trouble behind an error: of rights, or that something else is where a file or folder belongs. Null: nothing shows. */
export function explainDenied(
  error: unknown,
  root: string | null,
  folders: readonly string[] = [],
): Trouble | null {
  if (!(error instanceof Error)) return null;
  // By name: each chunk of the bundle has its own copy of the class.
  if (error.name === 'Refused' && error.cause !== undefined) return explainDenied(error.cause, root, folders);
  const isRights = hasCode(error, 'EACCES', 'EPERM', 'EROFS');
  const file = placeIn(error);
  if (file === null || !(isRights || isMisplaced(error))) return null;
  const top = root !== null && isInside(file, root) ? root : projectOf(file, folders);
  try {
    if (!isRights) return troubleWith(file, top, kindWanted(error), 'read');
    return troubleWith(file, top, 'either', 'append') ?? unwritable(path.dirname(file), top);
  } catch {
    return null; // It changed under us, or lies deeper than rights.
  }
}

function kindWanted(error: Error): 'file' | 'folder' | 'either' {
  if (error.name === 'Refused' || hasCode(error, 'EISDIR')) return 'file';
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === 'mkdir' || syscall === 'scandir' ? 'folder' : 'either';
}

function isMisplaced(error: Error): boolean {
  return error.name === 'Refused' || hasCode(error, 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP');
}

/** The place an error of the system or a refusal is about; null where it names none. */
function placeIn(error: Error): string | null {
  const { file, dest, path: at } = error as NodeJS.ErrnoException & { file?: unknown; dest?: unknown };
  // A file is moved into its place: what is in the way is there.
  const named = error.name === 'Refused' ? file : hasCode(error, 'EISDIR') ? (dest ?? at) : at;
  return typeof named === 'string' && path.isAbsolute(named) ? named : null;
}

/** A trouble as a sentence, for a command that refuses. */
export function sayTrouble({ what, fix }: Trouble): string {
  return `${what}; to fix it, ${fix}`;
}

/** What an error says to a person: the trouble behind it, or its own first line. `folders` tell projects: see below. */
export function inOneLine(error: unknown, root: string | null, folders: readonly string[] = []): string {
  const trouble = explainDenied(error, root, folders);
  if (trouble !== null) return `${trouble.what}: ${trouble.fix}`;
  const text = messageOf(error);
  return text.split('\n')[0] ?? text;
}

/**
 * A command that failed knows no project; the name of a folder in it tells where it begins: one of ours, or one of
 * `folders`, in which workflows keep their files.
 */
function projectOf(file: string, folders: readonly string[]): string {
  const names = ['.holdfast', '.local', '.config', ...folders];
  const parts = file.split('/');
  const position = parts.findIndex((part) => names.includes(part));
  return position > 1 ? parts.slice(0, position).join('/') : path.dirname(file);
}

function troubleWithLink(at: string, root: string): Trouble | null {
  const remove = `run \`rm ${shellQuote(at)}\``;
  let real: string;
  try {
    real = fs.realpathSync.native(at);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return { what: `${at} is a link to nowhere`, fix: remove };
    if (hasCode(error, 'ELOOP')) return { what: `${at} is a link that goes in circles`, fix: remove };
    return { what: `${at} is a link that leads where you may not look`, fix: remove };
  }
  if (isInside(real, root)) return null;
  return {
    what: `${at} is a link out of ${root} (to ${real}), and no such link is followed`,
    fix: `put the file itself there, or ${remove}`,
  };
}

function troubleWithKind(at: string, kind: 'file' | 'folder' | 'either'): Trouble | null {
  const found = fs.statSync(at);
  if (kind !== 'file' && found.isDirectory()) return null;
  if (kind !== 'folder' && found.isFile()) return null;
  const wanted = kind === 'folder' ? 'folder' : 'file';
  // What somebody put there may be dear to them: only what holds nothing is removed.
  const fix =
    found.isFile() || found.isDirectory()
      ? `mv ${shellQuote(at)} ${shellQuote(`${at}.aside`)}`
      : `rm ${shellQuote(at)}`;
  return { what: `${at} is ${nameOf(found)} where a ${wanted} belongs`, fix: `run \`${fix}\`` };
}

function nameOf(found: fs.Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  return found.isFile() ? 'a file' : 'a device';
}

function troubleWithUse(at: string, folder: string, root: string, use: Use): Trouble | null {
  const { R_OK, W_OK, X_OK } = fs.constants;
  if (fs.statSync(at).isDirectory())
    return denied(at, root, R_OK | X_OK, 'read') ?? (use === 'read' ? null : unwritable(at, root));
  const unread = denied(at, root, R_OK, 'read');
  if (unread !== null || use === 'read') return unread;
  return use === 'append' ? denied(at, root, W_OK, 'written') : unwritable(folder, root);
}

function unwritable(folder: string, root: string): Trouble | null {
  return denied(folder, root, fs.constants.W_OK | fs.constants.X_OK, 'written');
}

function denied(at: string, root: string, rights: number, verb: string): Trouble | null {
  try {
    fs.accessSync(at, rights);
    return null;
  } catch (error) {
    if (hasCode(error, 'EROFS'))
      return {
        what: `${at} cannot be ${verb}: its disk is mounted read-only`,
        fix: 'work where you may write, or mount that disk for writing',
      };
    return fs.lstatSync(at).uid === process.geteuid?.() ? ownButClosed(at, verb) : anothers(at, root, verb);
  }
}

function ownButClosed(at: string, verb: string): Trouble {
  const found = fs.lstatSync(at);
  const bits = (found.mode & 0o777).toString(8).padStart(4, '0');
  const change = found.isDirectory() ? 'u+rwx' : 'u+rw';
  return {
    what: `${at} cannot be ${verb}: its mode is ${bits}`,
    fix: `run \`chmod ${change} ${shellQuote(at)}\``,
  };
}

/** The whole of our folder, or the uppermost that is another's: what one run as another user made is never one file. */
function anothers(at: string, root: string, verb: string): Trouble {
  const me = process.geteuid?.() ?? 0;
  const { uid } = fs.lstatSync(at);
  const what = `${at} cannot be ${verb}: it belongs to user ${userName(uid)}, and you are ${userName(me)}`;
  const all = shellQuote(wholeOf(at, root, me));
  const isShared = isGroups(root);
  const command = isShared ? `sudo chmod -R g+rwX ${all}` : `sudo chown -R ${userName(me)} ${all}`;
  return { what, fix: `run \`${command}\`` };
}

function wholeOf(at: string, root: string, me: number): string {
  const names = path.relative(root, at).split(path.sep).filter(Boolean);
  if (names[0] === '.holdfast') return path.join(root, '.holdfast');
  let place = root;
  for (const name of names) {
    place = path.join(place, name);
    if (fs.lstatSync(place).uid !== me) return place;
  }
  return at;
}

/** Another user's project that we may write through its group. */
function isGroups(root: string): boolean {
  const { uid, gid, mode } = fs.statSync(root);
  return uid !== process.geteuid?.() && (mode & 0o020) !== 0 && (process.getgroups?.() ?? []).includes(gid);
}

/** A user's name where this system knows it by a file; a number does for chown as well. */
function userName(uid: number): string {
  try {
    const line = new RegExp(`^([^:\\n]+):[^:\\n]*:${uid}:`, 'm').exec(readSystem('/etc/passwd'));
    return line?.[1] ?? String(uid);
  } catch {
    return String(uid);
  }
}
