// The state files on disk: the operations that commands use, and the list of loops. Called under the
// project's lock wherever something is written. (The hook's own writes are data: see commit.ts.)

import fs from 'node:fs';
import { disk } from '../../store/disk.ts';
import { appendLine, changedAt, hasCode, readInside, realPath, replaceFile } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { filesOf, logFile, type StateDir } from './files.ts';
import { isId } from './id.ts';
import * as state from './state-format.ts';
import type { Loop } from './types.ts';

/** A loop as it stands on disk. */
export type KnownLoop = { id: string; text: string; loop: Loop };

export function writeState(dir: StateDir, id: string, text: string): void {
  replaceFile(filesOf(dir, id).state, text, dir.within);
}

/** Null: there is no such loop. */
export function readState(dir: StateDir, id: string): string | null {
  return readInside(filesOf(dir, id).state, dir.within, STATE_AT_MOST);
}

/** Fourteen short lines and a topic. */
const STATE_AT_MOST = 4 * 1024 * 1024;

export function setField(dir: StateDir, id: string, field: string, value: string, now: number): void {
  writeState(dir, id, state.setField(readState(dir, id) ?? '', field, value, now));
}

/** Informational: who started the loop. Nothing is decided by it, since a pid lies across a sandbox. */
export function writeLock(dir: StateDir, id: string, pid: number): void {
  replaceFile(filesOf(dir, id).lock, `${pid}\n`, dir.within);
}

/** Is the process that started the loop still running? */
export function isLockAlive(dir: StateDir, id: string): boolean {
  const pid = state.wholeNumber((readInside(filesOf(dir, id).lock, dir.within) ?? '').trim());
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Names of the state files, whatever they are called, the one changed last first. */
export function stateNames(dir: StateDir): string[] {
  return listFolder(dir.path)
    .filter((name) => name.endsWith('.state') && !name.startsWith('.'))
    .map((name) => ({ name, time: changedAt(below(dir.path, name)) }))
    .sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1))
    .map(({ name }) => name.slice(0, -'.state'.length));
}

/** The name of the state file changed last; null when there is none. A malformed name is found too. */
export function newestLoop(dir: StateDir): string | null {
  return stateNames(dir).find((name) => !isId(name) || isHere(dir, readLeniently(dir, name))) ?? null;
}

/** The loops of this project, the one changed last first. One that cannot be read counts as unknown, not as gone. */
export function readLoops(dir: StateDir): KnownLoop[] {
  return stateNames(dir)
    .filter(isId)
    .map((id) => {
      const text = readLeniently(dir, id);
      return { id, text, loop: state.readLoop(text) };
    })
    .filter(({ text }) => isHere(dir, text));
}

export function listFolder(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** One line for people who wonder later what happened. */
export function appendLog(dir: StateDir, now: number, text: string): void {
  appendLine(logFile(dir), logLine(now, text), dir.within);
}

export function logLine(now: number, text: string): string {
  return `[${state.utcTime(now)}] ${text}`;
}

/** Makes the folder where the user moved it to; inside a project the first write makes it. */
export function makeStateDir(dir: StateDir): StateDir {
  if (!dir.shared) return dir;
  disk.makeFolder(dir.path);
  return { ...dir, within: realPath(dir.path) ?? dir.path };
}

function readLeniently(dir: StateDir, id: string): string {
  try {
    return readState(dir, id) ?? '';
  } catch {
    return '';
  }
}

/** In a folder shared by several projects, a loop belongs to the one that its state names. */
function isHere(dir: StateDir, text: string): boolean {
  if (!dir.shared) return true;
  const root = state.readField(text, 'repo_root') ?? '';
  return root === '' || realPath(root) === dir.root;
}
