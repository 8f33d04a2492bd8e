// What differs between a commit and the work tree, of the files that git knows: committed since, staged, or neither.

import type { Git, GitOptions } from '../proof/git.ts';
import type { GitFolders } from '../proof/git-folders.ts';
import { quotedName } from './name.ts';
import type { ChangedFile } from './types.ts';

/** How git is asked about one work tree. */
export type Asking = {
  git: Git;
  top: string;
  folders: GitFolders;
  signal: AbortSignal;
  /** Patterns of git's: what does not count. */
  without: readonly string[];
};

export type Tracked = {
  files: ChangedFile[];
  /** Null: it is longer than that, or git could not make it in time. */
  patch: Buffer | null;
};

/** Null: git cannot tell. `from` is the id of a commit or a tree. */
export async function trackedChanges(
  asking: Asking,
  from: string,
  mostBytes: number,
): Promise<Tracked | null> {
  const [counted, patch] = await Promise.all([
    ask(asking, [...DIFF, '--numstat', '-z', from], {}),
    ask(asking, [...DIFF, '--patch', from], { mostBytes }),
  ]);
  return counted === null ? null : { files: filesIn(counted), patch };
}

/**
 * Nothing of the repository's is run: its config is not read (git.ts), so no attribute finds a program; and of a
 * submodule only the commit is compared, for git would look into it with its own config.
 */
const DIFF = [
  '-c',
  'core.quotePath=false',
  '-c',
  'core.bigFileThreshold=16m',
  'diff-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export function ask(
  { git, top, folders, signal, without }: Asking,
  args: readonly string[],
  options: GitOptions,
): Promise<Buffer | null> {
  const patterns = without.map((place) => `:(top,exclude,literal)${place}`);
  return git([...args, '--', ...patterns], top, folders, { ...options, signal, patterns: true });
}

/** `12\t3\tname`; with dashes for what is binary, or marked so. */
function filesIn(counted: Buffer): ChangedFile[] {
  const found = new Map<string, ChangedFile>();
  for (const line of counted.toString('latin1').split('\0').slice(0, -1)) {
    const [added = '', removed = '', ...rest] = line.split('\t');
    const name = quotedName(Buffer.from(rest.join('\t'), 'latin1'));
    const how = added === '-' ? 'binary, or marked so: not in the patch' : `+${added} -${removed}`;
    found.set(name, { name, how });
  }
  return [...found.values()];
}
