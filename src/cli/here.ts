// Where this process is: its command line's own path, its folder, its clock.

import path from 'node:path';
import type { Machinery } from '../engine/machinery.ts';
import { findReviewer } from '../reviewers/index.ts';
import type { Environment } from '../store/environment.ts';
import { below } from '../store/paths.ts';
import { shellQuote } from '../text/shell.ts';
import { registry } from '../workflows/registry.ts';

/** The hook gives up on the lock after two seconds: an agent's turn hangs on it. */
const HOOK_PATIENCE_MS = 2000;

export function machineryHere(env: Environment = process.env): Machinery {
  return {
    registry,
    findReviewer,
    env,
    cwd: currentFolder(),
    now: Date.now(),
    cli: cliCommand(),
    lockPatienceMs: HOOK_PATIENCE_MS,
    listenForEnd,
  };
}

/** The bundle lies in `lib/`, the command beside it in `bin/`. */
export function cliCommand(): string {
  return shellQuote(below(path.dirname(__dirname), 'bin/holdfast'));
}

/** A folder that was deleted under us has no name any more. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** The answer to a signal is a note and the reviewer's end. Before a review a signal may end us as it likes: nothing is half-written. */
function listenForEnd(): AbortSignal {
  const ending = new AbortController();
  process.on('SIGTERM', () => ending.abort());
  process.on('SIGINT', () => ending.abort());
  return ending.signal;
}
