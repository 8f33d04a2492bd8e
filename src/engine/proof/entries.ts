// A list of (mode, id, path) in the form that `git ls-files -s -v -z` prints it, sorted by the bytes of the path. A tree
// of 100,000 files is ten megabytes of it: it is searched and pieced together as bytes, never taken apart as a whole.

import { createHash } from 'node:crypto';
import { globs } from '../../text/glob.ts';
import type { Blob } from './blob.ts';

const TAB = 0x09;
const NUL = 0x00;

export type Entries = {
  bytes: Buffer;
  /** Where each entry begins, and at the end where the last one ends. Worked out when it is asked for. */
  readonly starts: Uint32Array;
};

export function entriesIn(bytes: Buffer): Entries {
  let known: Uint32Array | undefined;
  return {
    bytes,
    get starts() {
      known ??= startsIn(bytes);
      return known;
    },
  };
}

function startsIn(bytes: Buffer): Uint32Array {
  let starts = new Uint32Array(1024);
  let count = 0;
  for (let start = 0; start < bytes.length; ) {
    starts[count++] = start;
    if (count === starts.length) {
      const larger = new Uint32Array(2 * count);
      larger.set(starts);
      starts = larger;
    }
    const end = bytes.indexOf(NUL, start);
    start = end < 0 ? bytes.length : end + 1;
  }
  starts[count] = bytes.length;
  return starts.subarray(0, count + 1);
}

/** Are there more than so many? Asked first, since most lists need not be counted. */
export function hasMoreThan({ bytes }: Entries, many: number): boolean {
  let count = 0;
  for (let end = bytes.indexOf(NUL); end >= 0; end = bytes.indexOf(NUL, end + 1))
    if (++count > many) return true;
  return false;
}

/**
 * Are all of them ordinary, as far as a search for bytes tells? A tag stands at the start or after a NUL, which is in
 * no path; so does the mode of another repository.
 */
export function areAllOrdinary({ bytes }: Entries): boolean {
  if (bytes.length > 0 && bytes[0] !== ORDINARY) return false;
  return !ODD.some(
    (start) => bytes.includes(`\0${start}`, 0, 'latin1') || startsWith(bytes, Buffer.from(start)),
  );
}

/** Told not to be looked at (small letters, S), in a merge (M), and other repositories. */
const ODD = ['h ', 's ', 'm ', 'S ', 'M ', 'H 160000'];

export const countOf = ({ starts }: Entries): number => starts.length - 1;

/** `tag` is git's: `H` for an ordinary one. `stage` is not 0 where a merge left more than one. */
export function entryAt(
  { bytes, starts }: Entries,
  index: number,
): Blob & { tag: string; stage: string; path: Buffer } {
  const start = starts[index] ?? 0;
  const tab = bytes.indexOf(TAB, start);
  const [tag = '', mode = '', id = '', stage = ''] = bytes.toString('latin1', start, tab).split(' ');
  return { tag, mode, id, stage, path: pathAt({ bytes, starts }, index) };
}

/** Is it an ordinary file or link that git looks at? The cheap question, asked of each as git printed it. */
export function isOrdinary({ bytes, starts }: Entries, index: number, idLength: number): boolean {
  const start = starts[index] ?? 0;
  const isPlain = bytes[start] === ORDINARY && bytes[start + 2] === ONE && bytes[start + 3] !== SIX;
  return isPlain && bytes[start + 'H 100644  '.length + idLength] === ZERO;
}

const ORDINARY = 0x48; // H
const ZERO = 0x30;
const ONE = 0x31;
const SIX = 0x36; // 160000: another repository

function pathAt({ bytes, starts }: Entries, index: number): Buffer {
  const start = bytes.indexOf(TAB, starts[index] ?? 0) + 1;
  return bytes.subarray(start, (starts[index + 1] ?? 1) - 1);
}

export function lineOf({ mode, id }: Blob, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`H ${mode} ${id} 0\t`, 'latin1'), path, Buffer.of(NUL)]);
}

/** The first entry whose path is not before this one. */
export function placeOf(entries: Entries, path: Buffer): number {
  let low = 0;
  let high = countOf(entries);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pathAt(entries, middle).compare(path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Paths, as `latin1` so that every byte is kept, and the line that stands there instead; null: none. */
export type Changes = ReadonlyMap<string, Buffer | null>;

/** The list with these changes, and without everything at or below the paths in `without`. */
export function changed(entries: Entries, changes: Changes, without: readonly Buffer[]): Entries {
  if (changes.size === 0 && !without.some((path) => hasAnyAt(entries.bytes, path))) return entries;
  const isLeftOut = (path: Buffer): boolean =>
    without.some((each) => path.equals(each) || startsWith(path, Buffer.concat([each, SLASH])));
  const paths = [...changes.keys()].map((path) => Buffer.from(path, 'latin1'));
  const edits: Edit[] = [
    ...paths.filter((path) => !isLeftOut(path)).map((path) => editAt(entries, path, changes)),
    ...without.flatMap((path) => rangesAt(entries, path)),
  ].filter(({ from, to, line }) => to > from || line !== null);
  if (edits.length === 0) return entries;
  edits.sort((one, other) => one.from - other.from || one.path.compare(other.path));
  const pieces: Buffer[] = [];
  let kept = 0;
  for (const { from, to, line } of edits) {
    if (from > kept) pieces.push(between(entries, kept, from));
    if (line !== null) pieces.push(line);
    kept = Math.max(kept, to);
  }
  pieces.push(between(entries, kept, countOf(entries)));
  return entriesIn(Buffer.concat(pieces));
}

/** The path itself, or something below it. Searched by halves among the bytes, so that nothing needs to be counted. */
function hasAnyAt(bytes: Buffer, path: Buffer): boolean {
  const below = Buffer.concat([path, SLASH]);
  return firstFrom(bytes, path)?.equals(path) === true || startsWith(firstFrom(bytes, below) ?? EMPTY, below);
}

/** The first path that is not before this one; null: all are. */
function firstFrom(bytes: Buffer, path: Buffer): Buffer | null {
  let [low, high] = [0, bytes.length];
  let found: Buffer | null = null;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(NUL, middle - 1) + 1;
    const end = bytes.indexOf(NUL, start);
    const here = bytes.subarray(bytes.indexOf(TAB, start) + 1, end);
    if (here.compare(path) < 0) low = end + 1;
    else {
      found = here;
      high = start;
    }
  }
  return found;
}

const EMPTY = Buffer.alloc(0);

type Edit = { from: number; to: number; path: Buffer; line: Buffer | null };

const SLASH = Buffer.from('/');
/** The byte after the slash: no path below a folder comes after it. */
const AFTER_SLASH = Buffer.from('0');

function editAt(entries: Entries, path: Buffer, changes: Changes): Edit {
  const from = placeOf(entries, path);
  let to = from;
  while (to < countOf(entries) && pathAt(entries, to).equals(path)) to++;
  return { from, to, path, line: changes.get(path.toString('latin1')) ?? null };
}

function rangesAt(entries: Entries, path: Buffer): Edit[] {
  const own = editAt(entries, path, new Map());
  return [own, { ...rangeBelow(entries, path), path, line: null }];
}

function rangeBelow(entries: Entries, folder: Buffer): { from: number; to: number } {
  if (folder.length === 0) return { from: 0, to: countOf(entries) };
  return {
    from: placeOf(entries, Buffer.concat([folder, SLASH])),
    to: placeOf(entries, Buffer.concat([folder, AFTER_SLASH])),
  };
}

const startsWith = (path: Buffer, start: Buffer): boolean =>
  path.length >= start.length && path.compare(start, 0, start.length, 0, start.length) === 0;

const between = ({ bytes, starts }: Entries, from: number, to: number): Buffer =>
  bytes.subarray(starts[from], starts[to]);

export function fingerprintOf(entries: Entries, patterns: readonly string[] | null): string {
  const hash = createHash('sha256');
  if (patterns === null) return hash.update(entries.bytes).digest('hex');
  const isIn = new Uint8Array(countOf(entries));
  for (const pattern of patterns) mark(entries, pattern, isIn);
  for (let index = 0; index < isIn.length; index++)
    if (isIn[index] === 1) hash.update(between(entries, index, index + 1));
  return hash.digest('hex');
}

/** Only what lies below the part of the pattern that has no wildcard is looked at. */
function mark(entries: Entries, pattern: string, isIn: Uint8Array): void {
  const [base = '', rest = ''] = splitPattern(pattern);
  const folder = Buffer.from(base);
  const { from, to } = rangeBelow(entries, folder);
  if (rest === '') {
    // A plain name: the file, or all that is in the folder.
    const own = editAt(entries, folder, new Map());
    isIn.fill(1, own.from, own.to).fill(1, from, to);
    return;
  }
  if (rest === '**') {
    isIn.fill(1, from, to);
    return;
  }
  const { matches } = globs([pattern]);
  for (let index = from; index < to; index++)
    if (isIn[index] === 0 && matches(pathAt(entries, index).toString('utf8'))) isIn[index] = 1;
}

/** `src/a/*.ts` → `src/a` and `*.ts`. */
function splitPattern(pattern: string): readonly [string, string] {
  const parts = pattern
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .split('/');
  const wild = parts.findIndex((part) => /[*?[\]{}\\]/.test(part));
  if (wild === -1) return [parts.join('/'), ''];
  return [parts.slice(0, wild).join('/'), parts.slice(wild).join('/')];
}

export function* each(entries: Entries): Generator<Blob & { path: Buffer }> {
  for (let index = 0; index < countOf(entries); index++) yield entryAt(entries, index);
}
