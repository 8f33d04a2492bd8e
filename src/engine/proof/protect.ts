// Protected files: sealed when a run's checks are pinned, compared when the agent says it is done. Read from the disk
// and not from git: a file that git ignores, or that somebody told it to ignore, is protected as any other.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { CONFIG_NAME } from '../../config/config.ts';
import type { Environment } from '../../store/environment.ts';
import { hasCode, isInside, openInside, Refused, realPath } from '../../store/open.ts';
import { below } from '../../store/paths.ts';
import { type Globs, globs } from '../../text/glob.ts';
import { countSkips, looksLikeTest } from './skips.ts';

export type Seal = {
  /** Path from the root and fingerprint, in the order of the paths. */
  files: readonly (readonly [string, string])[];
  /** How many tests a file skips or focuses, where there are any. */
  skips: Readonly<Record<string, number>>;
  /** There was more than is sealed. */
  cut: boolean;
};

export type ProtectedChange = {
  file: string;
  how: 'changed' | 'removed' | 'added';
  /** How many more tests it skips or focuses than before. */
  skips: number;
};

const MOST_FILES = 20_000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Entries of folders that are looked at for a pattern such as `**`. */
const MOST_ENTRIES = 500_000;
/** A longer file's tests are not counted. */
const LONGEST_TEST = 1024 * 1024;
const CHUNK = 256 * 1024;

export async function makeSeal(root: string, _env: Environment, paths: readonly string[]): Promise<Seal> {
  const found = await findFiles(root, paths);
  const files: [string, string][] = [];
  const skips: [string, number][] = [];
  let bytes = 0;
  let cut = found.cut;
  for (const file of found.files) {
    if (files.length >= MOST_FILES || bytes > MOST_BYTES) {
      cut = true;
      break;
    }
    const read = readSealed(root, file);
    if (read === null) continue;
    bytes += read.bytes;
    files.push([file, read.mark]);
    if (read.skips > 0) skips.push([file, read.skips]);
    await breathe(files.length);
  }
  return { files, skips: Object.fromEntries(skips), cut };
}

/** What is not as it was, in the order of the paths. */
export async function compareSeal(
  root: string,
  _env: Environment,
  paths: readonly string[],
  seal: Seal,
): Promise<ProtectedChange[]> {
  const skipsBefore = new Map(Object.entries(seal.skips));
  const changes: ProtectedChange[] = [];
  /** By their fingerprints, to know a file again that was moved. */
  const removed = new Map<string, string>();
  let read = 0;
  for (const [file, mark] of seal.files) {
    await breathe(++read);
    const now = readSealed(root, file, mark);
    if (now === null) {
      removed.set(mark, file);
      changes.push({ file, how: 'removed', skips: 0 });
    } else if (now.mark !== mark)
      changes.push({ file, how: 'changed', skips: Math.max(0, now.skips - (skipsBefore.get(file) ?? 0)) });
  }
  const sealed = new Set(seal.files.map(([file]) => file));
  // A seal that was cut knows nothing of what comes after its last file.
  const last = seal.cut ? (seal.files.at(-1)?.[0] ?? '') : null;
  for (const file of (await findFiles(root, paths)).files) {
    if (sealed.has(file) || (last !== null && file > last)) continue;
    if (changes.length >= MOST_FILES) break;
    await breathe(++read);
    // Only of a test the content counts: it may be one that was moved.
    const now = readSealed(root, file, '');
    if (now === null) continue;
    const before = skipsBefore.get(removed.get(now.mark) ?? file) ?? 0;
    changes.push({ file, how: 'added', skips: Math.max(0, now.skips - before) });
  }
  return changes.sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** Lets a signal be heard while thousands of files are read. */
async function breathe(count: number): Promise<void> {
  if (count % 200 === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Folders that tools fill by themselves; a pattern that names one means it. */
const RESIDUE = ['node_modules', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis'];
/** Never a project's own. */
const NEVER = ['.git', '.holdfast'];

/** All that match, and our own config, in the order of their paths. */
export async function findFiles(
  root: string,
  paths: readonly string[],
): Promise<{ files: string[]; cut: boolean }> {
  const patterns = paths.map((pattern) => pattern.replace(/^(?:\.?\/)+/, '')).flatMap(withFolder);
  const residue = RESIDUE.filter((name) => !patterns.some((pattern) => pattern.includes(name)));
  const all = globs(patterns);
  // At the top a name with a dot has to be meant: `**` is no word about `.venv`, nor about a workflow's own files.
  const dotted = globs(patterns.filter((pattern) => pattern.startsWith('.')));
  const files = new Set<string>();
  if (fs.lstatSync(below(root, CONFIG_NAME), { throwIfNoEntry: false }) !== undefined) files.add(CONFIG_NAME);
  const open: string[] = [''];
  let entries = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(folder === '' ? root : below(root, folder))) {
      if (++entries > MOST_ENTRIES) return { files: [...files].sort(), cut: true };
      if (NEVER.includes(entry.name) || residue.includes(entry.name)) continue;
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const meant: Globs = file.startsWith('.') ? dotted : all;
      if (!entry.isDirectory()) {
        if (meant.matches(file)) files.add(file);
      } else if (meant.mayHold(file)) open.push(file);
      await breathe(entries);
    }
  }
  return { files: [...files].sort(), cut: false };
}

/** A plain name may be a file or a folder. */
const withFolder = (pattern: string): string[] =>
  pattern === '' || pattern.endsWith('/') ? [pattern] : [pattern, `${pattern}/**`];

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Gone since it was listed, or not ours to read: what was sealed in it counts as removed.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP')) return [];
    throw error;
  }
}

type Read = { mark: string; bytes: number; skips: number };

/**
 * Null when there is nothing. `known` is the mark it had: a file of another length is another file, whatever is in it.
 * A link is what it says, and what it leads to where that is a file of this project.
 */
function readSealed(root: string, file: string, known?: string): Read | null {
  const place = below(root, file);
  let link = '';
  try {
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return null;
    link = found.isSymbolicLink() ? `link ${digest(fs.readlinkSync(place))} ` : '';
    if (link === '' && !found.isFile()) return { mark: 'no file', bytes: 0, skips: 0 };
    const real = realPath(place);
    if (real === null || !isInside(real, root)) return { mark: `${link}elsewhere`, bytes: 0, skips: 0 };
    const content = readContent(root, file, link, known);
    return content === null ? { mark: `${link}no file`, bytes: 0, skips: 0 } : content;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    if (error instanceof Refused || hasCode(error, 'EACCES', 'EPERM', 'ELOOP', 'EISDIR', 'ENXIO'))
      return { mark: `${link}unreadable`, bytes: 0, skips: 0 };
    throw error;
  }
}

function readContent(root: string, file: string, link: string, known: string | undefined): Read | null {
  const descriptor = openInside(below(root, file), root);
  if (descriptor === null) return null;
  try {
    const { size } = fs.fstatSync(descriptor);
    const isShortTest = looksLikeTest(file) && size <= LONGEST_TEST;
    const text: Buffer[] = [];
    const keep = isShortTest ? (chunk: Buffer): unknown => text.push(Buffer.from(chunk)) : () => {};
    const isOther = known !== undefined && !known.startsWith(`${link}${size}-`);
    const mark =
      isOther && !isShortTest
        ? `${link}${size}-`
        : `${link}${size}-${hashOf(descriptor, Math.min(size, MOST_BYTES), keep)}`;
    const skips = isShortTest ? countSkips(file, Buffer.concat(text).toString('utf8')) : 0;
    return { mark, bytes: size, skips };
  } finally {
    fs.closeSync(descriptor);
  }
}

function hashOf(descriptor: number, length: number, keep: (chunk: Buffer) => unknown): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, length)));
  for (let at = 0; at < length; ) {
    const read = fs.readSync(descriptor, buffer, 0, Math.min(buffer.length, length - at), at);
    if (read === 0) break;
    const chunk = buffer.subarray(0, read);
    hash.update(chunk);
    keep(chunk);
    at += read;
  }
  return hash.digest('base64url').slice(0, 32);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);
