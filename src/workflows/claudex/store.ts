// The state files on disk: the operations that commands use, and the list of loops. Called under the
// project's lock wherever something is written. (The hook's own writes are data: see commit.ts.)

import fs from 'node:fs';
import { disk } from '../../store/disk.ts';
import { appendLine, hasCode, readInside, realPath, replaceFile } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { isId } from './id.ts';
import { filesOf, logFile, type Place } from './place.ts';
import * as state from './state.ts';

/** A loop as it stands on disk. */
export type KnownLoop = { id: string; text: string; loop: state.Loop };

export function writeState(place: Place, id: string, text: string): void {
  replaceFile(filesOf(place, id).state, text, place.within);
}

/** Null: there is no such loop. */
export function readState(place: Place, id: string): string | null {
  return readInside(filesOf(place, id).state, place.within, STATE_AT_MOST);
}

/** Fourteen short lines and a topic. */
const STATE_AT_MOST = 4 * 1024 * 1024;

export function setField(place: Place, id: string, field: string, value: string, now: number): void {
  writeState(place, id, state.setField(readState(place, id) ?? '', field, value, now));
}

/** Informational: who started the loop. Nothing is decided by it, since a pid lies across a sandbox. */
export function writeLock(place: Place, id: string, pid: number): void {
  replaceFile(filesOf(place, id).lock, `${pid}\n`, place.within);
}

/** Is the process that started the loop still running? */
export function isLockAlive(place: Place, id: string): boolean {
  const pid = state.wholeNumber((readInside(filesOf(place, id).lock, place.within) ?? '').trim());
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Names of the state files, whatever they are called, the one changed last first. */
export function stateNames(place: Place): string[] {
  return listFolder(place.folder)
    .filter((name) => name.endsWith('.state') && !name.startsWith('.'))
    .map((name) => ({ name, time: timeOf(below(place.folder, name)) }))
    .sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1))
    .map(({ name }) => name.slice(0, -'.state'.length));
}

/** The name of the state file changed last; null when there is none. A malformed name is found too. */
export function newestLoop(place: Place): string | null {
  return stateNames(place).find((name) => !isId(name) || isHere(place, readLeniently(place, name))) ?? null;
}

/** The loops of this project, the one changed last first. One that cannot be read counts as unknown, not as gone. */
export function readLoops(place: Place): KnownLoop[] {
  return stateNames(place)
    .filter(isId)
    .map((id) => {
      const text = readLeniently(place, id);
      return { id, text, loop: state.readLoop(text) };
    })
    .filter(({ text }) => isHere(place, text));
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
export function appendLog(place: Place, now: number, text: string): void {
  appendLine(logFile(place), logLine(now, text), place.within);
}

export function logLine(now: number, text: string): string {
  return `[${state.utcTime(now)}] ${text}`;
}

/** Makes the folder where the user moved it to; inside a project the first write makes it. */
export function makePlace(place: Place): Place {
  if (!place.shared) return place;
  disk.makeFolder(place.folder);
  return { ...place, within: realPath(place.folder) ?? place.folder };
}

/** A link that goes in circles has no time; it must not hide the other loops. */
function timeOf(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function readLeniently(place: Place, id: string): string {
  try {
    return readState(place, id) ?? '';
  } catch {
    return '';
  }
}

/** In a folder shared by several projects, a loop belongs to the one that its state names. */
function isHere(place: Place, text: string): boolean {
  if (!place.shared) return true;
  const root = state.readField(text, 'repo_root') ?? '';
  return root === '' || realPath(root) === place.root;
}
