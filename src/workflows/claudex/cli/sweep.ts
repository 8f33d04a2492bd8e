// Takes abandoned loops out of the way before a start: moved to swept/, never destroyed. Under the lock.

import fs from 'node:fs';
import path from 'node:path';
import { sessionsOf } from '../../../clients/index.ts';
import { isPaused } from '../../../engine/budget/paused.ts';
import { drivenIn } from '../../../engine/driver/its-agent.ts';
import type { Project } from '../../../engine/project.ts';
import { clockOf, waitingNow } from '../../../engine/waiting/clock.ts';
import { carryOut } from '../../../store/files.ts';
import type { Sidecar } from '../../../store/records.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { filesOf, type StateDir, sweptFolder } from '../files.ts';
import { isId } from '../id.ts';
import { appendLog, type KnownLoop, readLoops, stateNames } from '../loops.ts';
import { isRunning, lastChange } from '../review-progress.ts';
import { readSaved } from '../saved.ts';
import { isFinished } from '../state-format.ts';
import { lastSeen } from './last-seen.ts';

/** A session of which nothing was seen for so long is dead, or has forgotten its loop. */
const SEEN_LASTS_MS = 2 * 60 * 60_000;

/** Answers with the ids it swept. Finished, running and fresh loops stay, and those of other sessions that live. */
export function sweep(project: Project, dir: StateDir, staleMinutes: number): string[] {
  const driven = drivenIn(project, 'claudex');
  const stale = readLoops(dir).filter(
    (known) =>
      !isFinished(known.loop.phase) &&
      hasStoodFor(staleMinutes * 60_000, project, lastChange(dir, known.id), known.id) &&
      !isPaused(project, `claudex:${known.id}`) &&
      !driven.includes(`claudex:${known.id}`) &&
      !isBeingReviewed(project, dir, known) &&
      !belongsToAnother(project, known.id),
  );
  for (const { id } of stale) {
    moveLoop(dir, id);
    appendLog(dir, project.now, `swept ${id}: nothing moved for more than ${staleMinutes} minutes`);
  }
  if (!dir.shared) for (const name of stateNames(dir).filter((each) => !isId(each))) moveStray(dir, name);
  return stale.map(({ id }) => id);
}

/** By the loop's own clock: a loop that waits is not stale, and what it waited is no time in which it stood. */
function hasStoodFor(milliseconds: number, project: Project, changed: number, id: string): boolean {
  if (changed >= project.now - milliseconds) return false;
  const sidecar = readNotes(project, `claudex:${id}`);
  if (sidecar === null) return true;
  return waitingNow(sidecar, project.now) === null && changed < clockOf(sidecar, project.now) - milliseconds;
}

function isBeingReviewed({ now }: Project, dir: StateDir, { id, loop }: KnownLoop): boolean {
  return isRunning(dir, filesOf(dir, id), loop.round, now);
}

/** Fifteen minutes of drafting are ordinary: as long as another session may live, only it may take its loop for dead. */
function belongsToAnother(project: Project, id: string): boolean {
  const run = `claudex:${id}`;
  const sidecar = readNotes(project, run);
  if (sidecar !== null) {
    const ours = sessionsOf(project.env);
    const { sessions } = sidecar;
    if (sessions.length === 0 || sessions.some((session) => ours.includes(session))) return false;
  }
  const seen = lastSeen(project, run, sidecar?.sessions ?? [], readSaved(sidecar?.saved).transcript);
  return Math.abs(project.now - seen) <= SEEN_LASTS_MS;
}

/** Null: notes that nobody can read say nothing about whose it is. */
function readNotes({ root }: Project, run: string): Sidecar | null {
  try {
    return readSidecar(root, run);
  } catch {
    return null;
  }
}

/** The state goes last: a sweep cut short is taken up again. */
export function moveLoop(dir: StateDir, id: string): void {
  const files = filesOf(dir, id);
  const folder = freeFolder(path.join(sweptFolder(dir), id));
  for (const from of [files.lock, files.runner, files.prompt, files.folder, files.state])
    carryOut({ kind: 'move', from, to: path.join(folder, path.basename(from)) }, dir.within);
}

/** What would belong to a loop of that name need not be a loop's at all: it may be the log, or this very folder. */
function moveStray(dir: StateDir, name: string): void {
  const { state } = filesOf(dir, name);
  const folder = freeFolder(path.join(sweptFolder(dir), name));
  carryOut({ kind: 'move', from: state, to: path.join(folder, path.basename(state)) }, dir.within);
}

function freeFolder(wanted: string): string {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return folder;
  }
}
