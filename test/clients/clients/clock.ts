// A clock that a scenario sets forward, for Claude Code and all that it starts: hooks, the agent's shell. So hours
// pass as they do for a user, and nobody edits what was written down. (Codex is linked statically: it reads the
// machine's own clock.)

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../../../src/store/fingerprint.ts';
import { until } from './program.ts';
import type { Stage } from './stage.ts';

export type Clock = {
  /** Milliseconds, as the stage has it now. */
  now(): number;
  forward(seconds: number): void;
  /** Hurries on until something has happened, in steps that no client takes for a sleep of the machine. */
  hurry<T>(what: string, look: () => T | null | undefined | false): Promise<T>;
};

/** To be called before the client starts. */
export function giveClock(stage: Stage): Clock {
  const folder = path.dirname(stage.root);
  const library = path.join(folder, 'clock.so');
  const file = path.join(folder, 'seconds-ahead');
  const source = path.join(import.meta.dirname, 'clock.c');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { timeout: 30_000 });
  let ahead = 0;
  const forward = (seconds: number): void => {
    ahead += seconds;
    // In one step: a reader never finds it empty.
    fs.writeFileSync(`${file}.new`, String(ahead));
    fs.renameSync(`${file}.new`, file);
  };
  forward(0);
  stage.env.LD_PRELOAD = library;
  stage.env.SECONDS_AHEAD = file;
  return {
    now: () => Date.now() + ahead * 1000,
    forward,
    hurry(what, look) {
      let next = Date.now();
      return until(what, () => {
        const found = look();
        if (!found && Date.now() >= next) {
          next = Date.now() + STEP_MS;
          forward(STEP_S);
        }
        return found;
      });
    },
  };
}

/**
 * For Codex, which reads the machine's clock: every time that is written down in its rollout, in the loop's state and
 * in the run's notes becomes so much older. Between two runs of the client that is the same as if they were so far
 * apart. The notes know lines of the rollout by their fingerprints, so those are put right too.
 */
export function makeOlder({ root, home }: Stage, seconds: number): void {
  const rename = new Map<string, string>();
  for (const rollout of filesBelow(path.join(home, '.codex', 'sessions')))
    rewrite(rollout, (line) => {
      const older = olderTimes(line, seconds);
      rename.set(fingerprint(line), fingerprint(older));
      return older;
    });
  rewrite(path.join(root, '.jwz', 'messages.jsonl'), (line) => olderTimes(line, seconds));
  for (const notes of filesBelow(path.join(root, '.holdfast', 'runs')))
    rewrite(notes, (line) =>
      olderTimes(line, seconds).replace(/(?<=")[0-9a-f]{28}(?=")/g, (mark) => rename.get(mark) ?? mark),
    );
}

function rewrite(file: string, change: (line: string) => string): void {
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').split('\n').map(change).join('\n'));
}

function filesBelow(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** ISO 8601, or seconds or milliseconds since 1970: a whole JSON value each, also of JSON within JSON. */
const TIME = /(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=\\?")|(?<=[:,[])1\d{9}(?:\d{3})?(?=[,}\]])/g;

function olderTimes(line: string, seconds: number): string {
  return line.replace(TIME, (time) => {
    if (/^1\d{9}$/.test(time)) return String(Number(time) - seconds);
    if (/^1\d{12}$/.test(time)) return String(Number(time) - seconds * 1000);
    const older = new Date(Date.parse(time) - seconds * 1000).toISOString();
    return time.includes('.') ? older : older.replace(/\.\d+Z$/, 'Z');
  });
}

const STEP_MS = 500;
const STEP_S = 5;
