// Makes the changes that a review of code is about into a file for its reviewer: a patch since the work began, with what
// is not committed and what git does not know yet. Read by git alone, and so that nothing of the repository is run; too
// long, too slow or not to be known, it is left out, and the review goes on without it.

import path from 'node:path';
import { replaceFile } from '../../store/files.ts';
import { attemptFolder } from '../../store/home.ts';
import { below } from '../../store/paths.ts';
import { visibleText } from '../../text/printable.ts';
import type { Project } from '../project.ts';
import { ignoredBy, safeGit } from '../proof/git.ts';
import { type CommitId, EMPTY_TREE, headIn, isId, NO_COMMIT_YET, workTreeOf } from './head.ts';
import { type Asking, trackedChanges } from './tracked.ts';
import type { ChangedFile, Changes } from './types.ts';
import { untrackedFiles } from './untracked.ts';

export const MOST_BYTES = 1024 * 1024;
const TIME_LIMIT_MS = 30_000;
/** Of the list in the prompt, which is one argument of a command line. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 8000;
const LONGEST_LINE = 300;

export type MakeChanges = {
  attempt: string;
  since: CommitId | null;
  /** Files and folders that are no content, relative to the project. */
  without: readonly string[];
  whenAskedToEnd(listener: () => void): void;
  /** After which the review goes on without them. */
  timeLimitMs?: number;
};

type Place = Pick<Project, 'root' | 'home' | 'env'>;

/** Null: there are none, or they cannot be known. */
export async function makeChanges(project: Place, make: MakeChanges): Promise<Changes | null> {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), make.timeLimitMs ?? TIME_LIMIT_MS);
  make.whenAskedToEnd(() => cut.abort());
  try {
    const changes = await read(project, make, cut.signal);
    return changes === null || cut.signal.aborted ? null : write(project, make, changes);
  } catch (error) {
    // A failing disk, a user's folder that is somebody else's.
    if (error instanceof Error && ('syscall' in error || error.name === 'Refused')) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

type Found = Pick<Changes, 'since' | 'top'> & { files: ChangedFile[]; patch: string | null };

async function read(project: Place, make: MakeChanges, signal: AbortSignal): Promise<Found | null> {
  const { root, env } = project;
  const tree = workTreeOf(root, env);
  const git = safeGit(env, root);
  // An index in two parts is looked for in git's folder, which is not the repository's own here (git.ts).
  if (tree === null || git === null || tree.folders.split) return null;
  const { top, folders } = tree;
  const prefix = path.posix.relative(top, root);
  const without = make.without.map((each) => path.posix.join(prefix, each));
  const asking: Asking = { git, top, folders, signal, without };
  const from = await startOf(asking, make.since);
  if (from === null) return null;
  const [tracked, untracked] = await Promise.all([
    trackedChanges(asking, from.id, MOST_BYTES),
    ignoredBy(folders, env, root).then((ignored) => untrackedFiles(asking, ignored, MOST_BYTES)),
  ]);
  if (tracked === null || untracked === null) return null;
  const files = [...untracked.odd, ...tracked.files, ...untracked.files];
  const patch =
    tracked.patch === null || untracked.patch === null ? null : textOf([tracked.patch, untracked.patch]);
  return { since: from.since, top, files, patch };
}

/** A base that is gone, as after a rebase and a clean-up, counts as one that nobody knows. */
async function startOf(
  asking: Asking,
  since: CommitId | null,
): Promise<{ id: string; since: Changes['since'] } | null> {
  const { folders } = asking;
  if (since === NO_COMMIT_YET) return { id: EMPTY_TREE[folders.hash], since: { kind: 'no-commit-yet' } };
  if (since !== null && (await isCommit(asking, since)))
    return { id: since, since: { kind: 'commit', commit: since } };
  const head = headIn(folders);
  if (head === null) return null;
  const id = head === NO_COMMIT_YET ? EMPTY_TREE[folders.hash] : head;
  return { id, since: { kind: 'uncommitted' } };
}

async function isCommit({ git, top, folders, signal }: Asking, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const type = await git(['cat-file', '-t', id], top, folders, { signal });
  return type?.toString('latin1').trim() === 'commit';
}

/** What a screen would not show is there to be seen; bytes that are no text become what stands for such. */
function textOf(parts: readonly Buffer[]): string | null {
  const text = visibleText(Buffer.concat(parts).toString('utf8'));
  return Buffer.byteLength(text) > MOST_BYTES ? null : text;
}

function write(project: Place, { attempt }: MakeChanges, found: Found): Changes | null {
  const { since, top, files, patch } = found;
  if (files.length === 0) return null;
  const all = files.map(({ name, how }) => `${name} (${how})`);
  const lines = shortened(all);
  const folder = attemptFolder(project.home, attempt);
  const put = (kind: 'patch' | 'list', name: string, text: string): Changes['file'] => {
    const file = below(folder, name);
    replaceFile(file, text, project.root, 0o600);
    return { kind, path: file, bytes: Buffer.byteLength(text) };
  };
  const isCut = lines.length < all.length || lines.some((line, at) => line !== all[at]);
  const list = (): Changes['file'] => (isCut ? put('list', 'changes.txt', listText(all)) : null);
  const file = patch === null || patch === '' ? list() : put('patch', 'changes.patch', patch);
  return { since, file, top, count: files.length, lines };
}

function shortened(all: readonly string[]): string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const line of all) {
    const short = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    characters += short.length;
    if (lines.length === MOST_LINES || characters > MOST_CHARACTERS) break;
    lines.push(short);
  }
  return lines;
}

function listText(all: readonly string[]): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const line of all) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MOST_BYTES) return `${lines.join('\n')}\nand ${all.length - lines.length} more\n`;
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}
