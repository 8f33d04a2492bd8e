// How far a loop and its reviews are, seen from its files: does its runner run, which rounds were reviewed, when was
// anything last changed. Reads only.

import fs from 'node:fs';
import path from 'node:path';
import { isPassing, readInside, realPath } from '../../store/files.ts';
import { below } from '../../store/paths.ts';
import { filesOf, type LoopFiles, planFile, type StateDir } from './files.ts';
import { type Counts, countFindings } from './findings.ts';
import { listFolder } from './loops.ts';
import { wholeNumber } from './state-format.ts';

/** The runner touches its heartbeat every 2 s. A pid would lie: Codex gives the agent's shell its own namespace. */
const HEARTBEAT_LASTS_MS = 10_000;

/** Does the runner of this very round run? An older round's straggler does not count. */
export function isRunning(dir: StateDir, files: LoopFiles, round: number, now: number): boolean {
  const beat = timeOf(files.heartbeat);
  if (beat === null || Math.abs(now - beat) > HEARTBEAT_LASTS_MS) return false;
  const written = wholeNumber((readQuietly(files.heartbeat, dir.within) ?? '').trim());
  return written === null || written === round;
}

/** Each reviewed round with what was found in it, in order. A round without a findings file is not in here. */
export function readRounds(dir: StateDir, files: LoopFiles): ReadonlyMap<number, Counts> {
  const rounds = listFolder(files.folder)
    .map((name) => wholeNumber(/^findings-round-(\d+)\.md$/.exec(name)?.[1] ?? ''))
    .filter((round) => round !== null)
    .sort((a, b) => a - b);
  const found = new Map<number, Counts>();
  for (const round of rounds) {
    const counts = countFindings(readQuietly(files.findings(round), dir.within) ?? '');
    if (counts !== null) found.set(round, counts);
  }
  return found;
}

/** The exit code that a round's runner left; null when it never ended, or was never started. */
export function readExitCode(dir: StateDir, files: LoopFiles, round: number): number | null {
  const code = (readQuietly(files.exit(round), dir.within) ?? '').trim();
  return /^\d{1,3}$/.test(code) ? Number(code) : null;
}

/** The newest of state, findings, heartbeat and PLAN.md; milliseconds. */
export function lastChange(dir: StateDir, id: string): number {
  const files = filesOf(dir, id);
  const inFolder = listFolder(files.folder).map((name) => below(files.folder, name));
  const times = [files.state, planFile(dir), ...inFolder].map((file) => timeOf(file) ?? 0);
  return Math.max(...times);
}

/** PLAN.md's text; null when there is none. A link is followed wherever it leads: it is only read. */
export function readPlan(dir: StateDir): string | null {
  const real = realPath(planFile(dir));
  return real === null ? null : readQuietly(real, path.dirname(real));
}

export function readQuietly(file: string, root: string): string | null {
  try {
    return readInside(file, root);
  } catch (error) {
    // The agent must not hear that its plan is missing, and write it again, because a disk failed for a moment.
    if (isPassing(error)) throw error;
    return null; // A folder, a FIFO, a link out of the project: as good as not there.
  }
}

function timeOf(file: string): number | null {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
