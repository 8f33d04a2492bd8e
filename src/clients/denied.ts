// What a check in our sandbox may not write in the folder that it may write: every name that Claude Code (2.1.162,
// 2.1.325) denies to its agent's shell, by which a program outside could be made to run, and what the user's account
// trusts. test/fixtures/recorded/claude-code/sandbox-*.txt is the client's own list.

import fs from 'node:fs';
import path from 'node:path';
import { DENIED_FILES, DENIED_FOLDERS, DENIED_IN_HOME } from '../store/denied-names.ts';
import type { Environment } from '../store/environment.ts';
import { isInside, realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import { absolute, homeFolder } from '../store/user-folders.ts';
import { userStateFolder } from '../store/user-state.ts';
import { gitFoldersAt } from './git-folders.ts';

export type Kind = 'file' | 'folder';

export type Denied = {
  /** Their own folders come before them. */
  missing: readonly { place: string; kind: Kind; isOnTheWay: boolean }[];
  there: readonly string[];
  /** Folders on the way to a denied place: moved away, they would take it along. */
  onTheWay: readonly string[];
};

/** A denied name that can be held by nothing. */
export class NotDeniable extends Error {}

const IN_GIT: readonly (readonly [name: string, kind: Kind])[] = [
  ...(['config', 'config.lock', 'config.worktree', 'objects/info/alternates'] as const).map(
    (name) => [name, 'file'] as const,
  ),
  ...(['hooks', 'glab-cli', 'remotes', 'branches', 'worktrees'] as const).map(
    (name) => [name, 'folder'] as const,
  ),
  // Names of the client's own, by which it keeps the folder around them in its place.
  ...(['info', 'objects/info', 'objects/info/commit-graphs'] as const).map(
    (name) => [`${name}/.claude-sandbox-noreplace`, 'folder'] as const,
  ),
];
/** Of a linked work tree. In a main one an empty file of this name would mislead git. */
const WHERE_THERE = ['commondir', 'gitdir'];

/** `writable` is a real path. Throws `NotDeniable`. */
export function deniedIn(writable: string, env: Environment, more: readonly string[]): Denied {
  const looked = new Looked(writable);
  const isHome = realPath(homeFolder(env)) === writable;
  for (const name of DENIED_FOLDERS) looked.at(below(writable, name), 'folder');
  for (const name of DENIED_FILES) looked.at(below(writable, name), 'folder');
  // A folder of that name would stop git and shells there; anywhere else it is what git sees least of.
  for (const name of DENIED_IN_HOME) looked.at(below(writable, name), isHome ? 'file' : 'folder');
  lookIntoGit(writable, looked);
  for (const place of [...trustedFolders(env), ...clientFolders(env), ...more]) looked.at(place, 'folder');
  lookBelow(writable, looked, DEPTH);
  return looked;
}

class Looked implements Denied {
  readonly missing: { place: string; kind: Kind; isOnTheWay: boolean }[] = [];
  readonly there: string[] = [];
  readonly onTheWay: string[] = [];
  readonly #writable: string;
  readonly #seen = new Set<string>();

  constructor(writable: string) {
    this.#writable = writable;
  }

  /** Nothing to do where it lies outside: there nothing can be written. */
  at(named: string, kind: Kind): void {
    for (const place of new Set([named, realOf(named)])) {
      if (place === this.#writable)
        throw new NotDeniable(`${place} is what it would write, and must not be written`);
      if (!isInside(place, this.#writable)) continue;
      const parts = place.slice(this.#writable.length + 1).split('/');
      const ways = parts.map((_, at) => below(this.#writable, parts.slice(0, at + 1).join('/')));
      for (const way of ways) if (!this.#pass(way, way === place, kind)) break;
    }
  }

  /** False: what lies below it needs no look, since nothing can be made there. */
  #pass(place: string, isLast: boolean, kind: Kind): boolean {
    const key = `${isLast}${place}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (found?.isSymbolicLink())
      throw new NotDeniable(`${place} is a link, and a check could put something else in its place`);
    if (found === undefined)
      this.missing.push({ place, kind: isLast ? kind : 'folder', isOnTheWay: !isLast });
    else if (isLast || !found.isDirectory()) this.there.push(place);
    else this.onTheWay.push(place);
    return found?.isDirectory() !== false;
  }
}

/** Where `named` leads, or would lead if it were made. */
function realOf(named: string): string {
  const real = realPath(named);
  if (real !== null || path.dirname(named) === named) return real ?? named;
  return below(realOf(path.dirname(named)), path.basename(named));
}

function lookIntoGit(folder: string, looked: Looked): void {
  const place = below(folder, '.git');
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) looked.at(place, 'file');
  const git = gitFoldersAt(folder);
  for (const each of git === null ? [] : new Set([git.own, git.common])) {
    for (const [name, kind] of IN_GIT) looked.at(below(each, name), kind);
    for (const name of WHERE_THERE)
      if (fs.existsSync(below(each, name))) looked.at(below(each, name), 'file');
  }
}

/** What we believe: it may lie in the project where that is the user's home, or has it in it. */
export function trustedFolders(env: Environment): string[] {
  const config = absolute(env.XDG_CONFIG_HOME) ?? below(homeFolder(env), '.config');
  return [userStateFolder(env), below(config, 'holdfast')];
}

/** What the client loads from outside of the project. */
function clientFolders(env: Environment): string[] {
  const plugin = absolute(env.CLAUDE_PLUGIN_ROOT);
  return [
    absolute(env.CLAUDE_CONFIG_DIR) ?? below(homeFolder(env), '.claude'),
    ...(plugin === undefined ? [] : [plugin]),
  ];
}

/** As deep as the client looks for files that are there: the last of them lies in a folder of a folder. */
const DEPTH = 2;
const MOST_FOLDERS = 20_000;

/** Of the names in the folders below only those that are there: the client denies no more. */
function lookBelow(top: string, looked: Looked, depth: number): void {
  const names = new Set([...DENIED_FOLDERS, ...DENIED_FILES, ...DENIED_IN_HOME]);
  let folders = [top];
  let count = 0;
  for (let level = 0; level < depth; level++) {
    const inner = folders.flatMap((folder) =>
      foldersIn(folder).filter((each) => !names.has(path.basename(each))),
    );
    count += inner.length;
    if (count > MOST_FOLDERS) throw new NotDeniable(`${top} has too many folders to look through`);
    for (const folder of inner)
      for (const entry of entriesIn(folder)) {
        if (entry.isSymbolicLink()) continue;
        if (names.has(entry.name)) looked.at(below(folder, entry.name), 'folder');
        else if (entry.name === '.git')
          for (const name of ['hooks', 'config']) {
            const place = below(folder, `.git/${name}`);
            if (entry.isDirectory() && fs.existsSync(place)) looked.at(place, 'folder');
          }
      }
    folders = inner;
  }
}

function foldersIn(folder: string): string[] {
  const isLookedInto = ({ name }: fs.Dirent): boolean => name !== '.git' && name !== 'node_modules';
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory() && isLookedInto(entry))
    .map(({ name }) => below(folder, name));
}

/** None where it cannot be read, or went meanwhile. */
function entriesIn(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
