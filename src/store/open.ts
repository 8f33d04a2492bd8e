// Every file that Holdfast opens is opened here. Where an agent may write, a path means something else from one moment to
// the next: so a file is opened once, the kernel is asked where what was opened lies, and a folder is held on to by its
// descriptor while something is done in it. Linux leads there by /proc/self/fd; elsewhere no link at all is followed from
// the path that was looked at, and what was opened is compared with it.

import fs from 'node:fs';

const { O_RDONLY, O_WRONLY, O_RDWR, O_TRUNC, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } =
  fs.constants;

/** Node does not name them. The first opens nothing yet, so that no FIFO and no device notices; the second is macOS's. */
const O_PATH = process.arch === 'x64' || process.arch === 'arm64' ? 0o10000000 : O_NONBLOCK;
const O_NOFOLLOW_ANY = 0x20000000;

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

/** Of a regular file for reading; null: there is none. A link that leads out of `root`, its real path, is refused. */
export function openInside(file: string | Buffer, root: string, lastLink = 0): number | null {
  if (!canName()) return openAsChecked(file, root, lastLink);
  const found = orNull(() => fs.openSync(file, O_PATH | lastLink));
  if (found === null) return null;
  try {
    const real = nameOf(found);
    assertInside(real, String(file), root);
    return asRegular(
      named(
        () => fs.openSync(wayOf(found), O_RDONLY | O_NONBLOCK),
        (text) => text.replace(wayOf(found), String(file)),
      ),
      String(file),
    );
  } finally {
    fs.closeSync(found);
  }
}

/** The same, and no link in the file's own place: ELOOP. */
export function openInsideNoLink(file: string | Buffer, root: string): number | null {
  return openInside(file, root, O_NOFOLLOW);
}

/** Of a file where no agent may write, or one that the user or the client names: links are followed wherever they lead. */
export function openOwn(file: string): number | null {
  const descriptor = orNull(() => fs.openSync(file, O_RDONLY | O_NONBLOCK));
  return descriptor === null ? null : asRegular(descriptor, file);
}

/** All of it, as `openOwn` opens it; ENOENT where there is none. */
export function readOwn(file: string): string {
  return bytesOfOwn(file).toString('utf8');
}

export function bytesOfOwn(file: string): Buffer {
  const descriptor = openOwn(file);
  if (descriptor === null)
    throw Object.assign(new Error(`${file} is not there`), { code: 'ENOENT', path: file });
  try {
    return readAll(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** A file of the system's, below /proc or /etc. */
export function readSystem(file: string, encoding: BufferEncoding = 'latin1'): string {
  return fs.readFileSync(file, encoding);
}

/** The first page of one below /proc: such files have no size, and `readFileSync` has a slow way of its own for that. */
export function readPage(file: string, page: Buffer): string {
  const descriptor = fs.openSync(file, O_RDONLY);
  try {
    return page.toString('latin1', 0, fs.readSync(descriptor, page, 0, page.length, null));
  } finally {
    fs.closeSync(descriptor);
  }
}

export function readAll(descriptor: number): Buffer {
  return fs.readFileSync(descriptor);
}

/** A folder that is held on to: whatever is put in its place meanwhile, `way` leads into this one. */
export type Folder = { readonly descriptor: number; readonly way: string; readonly real: string };

/** Null: there is none. `lastLink`: O_NOFOLLOW where it must not be a link itself. */
export function openFolder(path: string, lastLink = 0): Folder | null {
  const descriptor = orNull(() => fs.openSync(path, O_RDONLY | O_DIRECTORY | lastLink));
  if (descriptor === null) return null;
  try {
    if (canName()) return { descriptor, way: wayOf(descriptor), real: nameOf(descriptor) };
    const real = fs.realpathSync.native(path);
    assertSame(descriptor, real, path);
    return { descriptor, way: `${real}${HELD}`, real };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

/** A folder right in this one, which is no link. */
export function openFolderIn({ way }: Folder, name: string): Folder | null {
  return openFolder(`${way}/${name}`, O_NOFOLLOW);
}

export function closeFolder({ descriptor }: Folder): void {
  fs.closeSync(descriptor);
}

/** Errors tell a person the folder's path, and not the way that leads into it. */
export function inFolder<T>({ way, real }: Folder, work: () => T): T {
  return named(work, (text) => text.split(`${way}/`).join(`${real}/`).split(`'${way}'`).join(`'${real}'`));
}

/** A folder that must be there, inside `root`. */
export function holdFolder(path: string, root: string): Folder {
  const folder = openFolder(path);
  if (folder === null)
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
      ...{ code: 'ENOENT', syscall: 'open', path },
    });
  if (isInside(folder.real, root)) return folder;
  closeFolder(folder);
  throw new Refused(`${path} leads out of ${root} and is left alone`);
}

/** For owner.ts alone, which opens and makes in the name of a folder's owner, and for who holds that folder. */
export function openAt(place: string, flags: number, mode?: number): number {
  return fs.openSync(place, place.includes(`${HELD}/`) ? strict(flags) : flags, mode);
}

/** For what a program prints: new, ours alone, and read again by this very descriptor. */
export function openOutput(place: string): number {
  return openAt(place, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

/** Both ends of a FIFO in a folder of ours: a reader that never waits, and a writer for a program. */
export function openPipe(place: string): { reader: number; writer: number } {
  const reader = fs.openSync(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (!fs.fstatSync(reader).isFIFO()) throw new Refused(`${place} is no FIFO and is left alone`);
    return { reader, writer: fs.openSync(canName() ? wayOf(reader) : place, O_WRONLY) };
  } catch (error) {
    fs.closeSync(reader);
    throw error;
  }
}

/** Once more, for reading, what was made just now. */
export function openMade(file: string): number {
  return fs.openSync(file, O_RDONLY | O_NOFOLLOW);
}

/** What lies right there and is no link; to be looked at before it is opened again for writing. */
export function openThere(file: string): number {
  return fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

/** The very file behind the descriptor, emptied; Linux alone. */
export function openEmptied(descriptor: number): number {
  return fs.openSync(wayOf(descriptor), O_WRONLY | O_TRUNC);
}

/** With all that is in it, links and modes as they are. */
export function copyFolder(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** A folder of our own for a moment, by a name that only we know. */
export function makeTemporaryFolder(prefix: string): string {
  return fs.mkdtempSync(prefix);
}

/** In a folder of that kind. */
export function writeTemporary(file: string, text: string, options: fs.WriteFileOptions = {}): void {
  fs.writeFileSync(file, text, options);
}

/** The descriptor behind a way into a held folder; null: the path is none. */
export function descriptorIn(path: string): number | null {
  const found = /^\/proc\/self\/fd\/(\d+)$/.exec(path);
  return found === null ? null : Number(found[1]);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** The path with every link followed; null when nothing is there. */
export function realPath(file: string): string | null {
  return orNull(() => fs.realpathSync.native(file));
}

export function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith('/') ? root : `${root}/`);
}

export function assertInside(real: string, shown: string, root: string): void {
  if (!isInside(real, root)) throw new Refused(`${shown} leads out of ${root} and is left alone`);
}

function asRegular(descriptor: number, shown: string): number {
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new Refused(`${shown} is not a regular file`, { file: shown });
}

/** Where no descriptor can be named: the checked path once more, along which there is no link, and then compared. */
function openAsChecked(file: string | Buffer, root: string, lastLink: number): number | null {
  const real = orNull(() => fs.realpathSync.native(file));
  if (real === null) return null;
  assertInside(real, String(file), root);
  if (lastLink !== 0 && fs.lstatSync(file).isSymbolicLink())
    throw Object.assign(new Error(`ELOOP: ${file} is a link`), { code: 'ELOOP', path: String(file) });
  const descriptor = orNull(() => fs.openSync(real, strict(O_RDONLY | O_NONBLOCK | O_NOFOLLOW)));
  if (descriptor === null) return null;
  try {
    assertSame(descriptor, real, String(file));
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
  return asRegular(descriptor, String(file));
}

function assertSame(descriptor: number, real: string, shown: string): void {
  const [opened, there] = [fs.fstatSync(descriptor), fs.lstatSync(real, { throwIfNoEntry: false })];
  const isSame = opened.ino === there?.ino && opened.dev === there.dev;
  if (!isSame || fs.realpathSync.native(real) !== real)
    throw new Refused(`${shown} was changed while it was opened and is left alone`);
}

/** Ends the way into a folder that is held, where that is a path. */
const HELD = '/.';

/** No link at all along a path of which every link was followed already. */
function strict(flags: number): number {
  return process.platform === 'darwin' ? (flags & ~O_NOFOLLOW) | O_NOFOLLOW_ANY : flags;
}

function wayOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function nameOf(descriptor: number): string {
  return fs.readlinkSync(wayOf(descriptor));
}

let namesDescriptors: boolean | undefined;

function canName(): boolean {
  namesDescriptors ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd');
  return namesDescriptors;
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

function named<T>(work: () => T, rename: (text: string) => string): T {
  try {
    return work();
  } catch (error) {
    const failed = error as Partial<NodeJS.ErrnoException & { dest: string }>;
    if (typeof failed.path === 'string') failed.path = rename(failed.path);
    if (typeof failed.dest === 'string') failed.dest = rename(failed.dest);
    if (error instanceof Error) error.message = rename(error.message);
    throw error;
  }
}
