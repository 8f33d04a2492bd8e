// A clock that a scenario sets forward, for Claude Code and all that it starts: hooks, the agent's shell. So hours
// pass as they do for a user, and nobody edits what was written down. (Codex is linked statically: it reads the
// machine's own clock.)

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
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

const STEP_MS = 500;
const STEP_S = 5;
