// What a claim is about: every file of the repository with the blob it is, as git's index has it and as we hash what
// differs from it or is not in it. HEAD plays no part, so a commit changes nothing. What git ignores is not content.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { below } from '../../store/paths.ts';
import { wayUp } from '../project.ts';
import { blobOf } from './blob.ts';
import {
  areAllOrdinary,
  type Changes,
  changed,
  countOf,
  type Entries,
  each,
  entriesIn,
  entryAt,
  fingerprintOf,
  hasMoreThan,
  isOrdinary,
  lineOf,
} from './entries.ts';
import { type Git, ignoredBy, safeGit } from './git.ts';
import { type GitFolders, gitFoldersOf } from './git-folders.ts';

export type Content = {
  /** A fingerprint of it, limited to these patterns, which are relative to the root; null: of all of it. */
  of(paths: readonly string[] | null): string;
  /** Each file, relative to the root, and the blob it is. */
  files(): Iterable<[path: string, blob: string]>;
};

/**
 * Of the whole repository that `root` is in, for a check may read all of it. `without` are files and folders that
 * do not count, relative to the root. Null: there is no git here, or it cannot tell.
 */
export async function contentOf(
  root: string,
  env: Environment,
  options: { without: readonly string[] },
): Promise<Content | null> {
  const top = wayUp(root, env).at(-1);
  if (top === undefined || !fs.existsSync(below(top, '.git'))) return null;
  const prefix = path.posix.relative(top, root);
  const without = options.without.map((each) => Buffer.from(path.posix.join(prefix, each)));
  let entries: Entries;
  try {
    const git = safeGit(env, root);
    const found =
      git === null ? null : await read(top, { git, env, root, count: { repositories: 0, files: 0 } }, 0);
    if (found === null) return null;
    entries = changed(found, new Map(), without);
  } catch (error) {
    if (isUnknowable(error)) return null;
    throw error;
  }
  return {
    of: (paths) => fingerprintOf(entries, paths?.map((pattern) => fromTop(prefix, pattern)) ?? null),
    *files() {
      for (const { path: file, id } of each(entries)) yield [fromRoot(prefix, file.toString('utf8')), id];
    },
  };
}

/** A pattern may lead out of the root, into the rest of the repository. */
function fromTop(prefix: string, pattern: string): string {
  return path.posix.join(prefix, pattern.replace(/^\/+/, '')).replace(/\/$/, '');
}

function fromRoot(prefix: string, file: string): string {
  return prefix === '' ? file : path.posix.relative(`/${prefix}`, `/${file}`);
}

type Reading = {
  git: Git;
  env: Environment;
  root: string;
  /** So far, with those in it. */
  count: { repositories: number; files: number };
};

/** Too large, a failing disk, a user's folder that is somebody else's: every claim then runs its checks. */
function isUnknowable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof TooMuch || 'syscall' in error || error.name === 'Refused';
}

/** More than we look through at a stop. */
class TooMuch extends Error {}

const MOST_DEPTH = 8;
const MOST_REPOSITORIES = 200;
/** In folders that git does not list. */
const MOST_WALKED = 20_000;

/**
 * So few are all hashed: then neither a forged index nor a filter between the work tree and the index plays a part. In
 * a larger repository git's word counts that a file is as it was when it was staged; it knows that by size, times to the
 * second and inode.
 */
const FEW_FILES = 2000;
const FEW_BYTES = 32 * 1024 * 1024;

async function read(top: string, reading: Reading, depth: number): Promise<Entries | null> {
  const folders = gitFoldersOf(top);
  // An index in two parts is looked for in git's folder, which is not the repository's own here.
  if (folders === null || folders.split) return null;
  if (depth > MOST_DEPTH || ++reading.count.repositories > MOST_REPOSITORIES) throw new TooMuch();
  const [listed, differing] = await Promise.all([
    ignoredBy(folders, reading.env, reading.root)
      .then((without) => reading.git(['ls-files', '-s', '-o', '-v', '-z', ...without], top, folders))
      // Looked at while the other one, which takes longer, still runs.
      .then((bytes) => bytes && lookAt(bytes)),
    reading.git(['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'], top, folders),
  ]);
  if (listed === null || differing === null) return null;
  const { others, index } = listed;
  const changes = await changesIn(top, folders, index, parse(differing, others), reading, depth);
  return changed(index.entries, changes, []);
}

type Index = { entries: Entries; allOrdinary: boolean };

function lookAt(listed: Buffer): { others: Buffer; index: Index } {
  const { others, index } = apart(listed);
  const entries = entriesIn(index);
  return { others, index: { entries, allOrdinary: areAllOrdinary(entries) } };
}

/** What is not in the index comes first, each with a question mark. */
function apart(listed: Buffer): { others: Buffer; index: Buffer } {
  let end = 0;
  while (listed[end] === QUESTION_MARK) end = listed.indexOf(0, end) + 1;
  return { others: listed.subarray(0, end), index: listed.subarray(end) };
}

const QUESTION_MARK = 0x3f;

type Listed = {
  /** Of the index, not as they were when they were staged. */
  differing: readonly string[];
  deleted: readonly string[];
  untracked: readonly string[];
  /** Untracked repositories. */
  nested: readonly string[];
};

/** Paths as `latin1`, which keeps every byte. */
function parse(differing: Buffer, others: Buffer): Listed {
  const fields = differing.toString('latin1').split('\0');
  const pairs = fields.flatMap((field, at) => (field.startsWith(':') && at % 2 === 0 ? [at] : []));
  const isDeleted = (at: number): boolean => fields[at]?.endsWith(' D') === true;
  const pathsOf = (list: readonly number[]): string[] => list.map((at) => fields[at + 1] ?? '');
  const untracked = others
    .toString('latin1')
    .split('\0')
    .slice(0, -1)
    .map((line) => line.slice('? '.length));
  return {
    differing: pathsOf(pairs.filter((at) => !isDeleted(at))),
    deleted: pathsOf(pairs.filter(isDeleted)),
    untracked: untracked.filter((file) => !file.endsWith('/')),
    nested: untracked.filter((file) => file.endsWith('/')).map((file) => file.slice(0, -1)),
  };
}

async function changesIn(
  top: string,
  { hash }: GitFolders,
  { entries, allOrdinary }: Index,
  listed: Listed,
  reading: Reading,
  depth: number,
): Promise<Changes> {
  const changes = new Map<string, Buffer | null>(listed.deleted.map((file) => [file, null]));
  const toHash = new Set([...listed.differing, ...listed.untracked]);
  const nested = new Set(listed.nested);
  const all = isSmall(top, entries);
  const count = !all && allOrdinary ? 0 : countOf(entries);
  for (let index = 0; index < count; index++) {
    if (!all && isOrdinary(entries, index, hash === 'sha1' ? 40 : 64)) continue;
    const { mode, path: file } = entryAt(entries, index);
    const name = file.toString('latin1');
    if (changes.has(name)) continue;
    if (mode === '160000') nested.add(name);
    else toHash.add(name);
  }
  for (const name of toHash) {
    const file = Buffer.from(name, 'latin1');
    const blob = await blobOf(inTop(top, file), top, hash);
    changes.set(name, blob === null ? null : lineOf(blob, file));
    await breathe();
  }
  for (const name of nested) await addNested(top, name, changes, reading, depth);
  return changes;
}

function isSmall(top: string, entries: Entries): boolean {
  if (hasMoreThan(entries, FEW_FILES)) return false;
  let bytes = 0;
  for (const { path: file } of each(entries))
    bytes += fs.lstatSync(inTop(top, file), { throwIfNoEntry: false })?.size ?? 0;
  return bytes <= FEW_BYTES;
}

/** The files of a submodule, or of a repository that happens to lie there, in the place of the one entry for it. */
async function addNested(
  top: string,
  name: string,
  changes: Map<string, Buffer | null>,
  reading: Reading,
  depth: number,
): Promise<void> {
  const folder = inTop(top, Buffer.from(name, 'latin1'));
  // A link, a file: whatever is there in its place, git lists it or we hash it.
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const blob = await blobOf(folder, top, 'sha1');
    changes.set(name, blob === null ? null : lineOf(blob, Buffer.from(name, 'latin1')));
    return;
  }
  const place = folder.toString('utf8');
  // Where the name is no UTF-8 git could not be told where it is.
  const isNamed = Buffer.from(place).equals(folder);
  const inner = isNamed ? await read(place, reading, depth + 1) : null;
  changes.set(name, null);
  const add = (file: Buffer, blob: { mode: string; id: string }): void => {
    const whole = Buffer.concat([Buffer.from(`${name}/`, 'latin1'), file]);
    changes.set(whole.toString('latin1'), lineOf(blob, whole));
  };
  if (inner !== null) for (const { path: file, ...blob } of each(inner)) add(file, blob);
  else await walk(folder, Buffer.alloc(0), reading, add);
}

/** Where git lists nothing: a submodule that was not checked out, with something in its folder all the same. */
async function walk(
  folder: Buffer,
  below: Buffer,
  reading: Reading,
  add: (file: Buffer, blob: { mode: string; id: string }) => void,
): Promise<void> {
  const place = below.length === 0 ? folder : Buffer.concat([folder, Buffer.from('/'), below]);
  const found = fs.readdirSync(place, { encoding: 'buffer', withFileTypes: true });
  for (const each of found) {
    const name = each.name as unknown as Buffer;
    const file = below.length === 0 ? name : Buffer.concat([below, Buffer.from('/'), name]);
    if (name.toString('latin1') === '.git') continue;
    if (++reading.count.files > MOST_WALKED) throw new TooMuch();
    if (each.isDirectory()) {
      await walk(folder, file, reading, add);
      continue;
    }
    const blob = await blobOf(
      Buffer.concat([folder, Buffer.from('/'), file]),
      folder.toString('utf8'),
      'sha1',
    );
    if (blob !== null) add(file, blob);
    await breathe();
  }
}

const inTop = (top: string, file: Buffer): Buffer => Buffer.concat([Buffer.from(`${top}/`), file]);

let breathedAt = 0;

/** A signal is heard only when the loop turns. */
async function breathe(): Promise<void> {
  if (Date.now() - breathedAt < 50) return;
  await new Promise(setImmediate);
  breathedAt = Date.now();
}
