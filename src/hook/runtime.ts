// Where this process is: its command line's own path, its folder, its clock.

import path from 'node:path';
import type { Runtime } from '../engine/context.ts';
import { BY_NAME_VARIABLE, type Environment } from '../store/environment.ts';
import { OUR_NAME } from '../store/own-command.ts';
import { below } from '../store/paths.ts';
import { shellQuote } from '../text/shell.ts';
import { registry } from '../workflows/registry.ts';

/** The hook gives up on the lock after two seconds: an agent's turn waits for it. */
const HOOK_PATIENCE_MS = 2000;

export function runtimeHere(env: Environment = process.env): Runtime {
  return {
    registry,
    findReviewer: async (name) => (await import('../reviewers/index.ts')).findReviewer(name),
    env,
    cwd: currentFolder(),
    now: Date.now(),
    cli: env[BY_NAME_VARIABLE] === '1' ? OUR_NAME : cliCommand(),
    lockPatienceMs: HOOK_PATIENCE_MS,
    whenAskedToEnd,
  };
}

/** The bundle lies in `lib/`, the command beside it in `bin/`. */
export function cliCommand(): string {
  return shellQuote(below(cliFolder(), OUR_NAME));
}

export function cliFolder(): string {
  return below(path.dirname(__dirname), 'bin');
}

/** A folder that was deleted under us has no name any more. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

const listeners: (() => void)[] = [];
let isAskedToEnd = false;

/** Without a listener a signal ends us as it likes: before a review nothing is lost by it. */
function whenAskedToEnd(listener: () => void): void {
  if (listeners.push(listener) === 1) {
    process.on('SIGTERM', notifyListeners);
    process.on('SIGINT', notifyListeners);
  }
  // A stop may run a second review, of another run, after a signal came during the first.
  if (isAskedToEnd) listener();
}

function notifyListeners(): void {
  isAskedToEnd = true;
  for (const listener of listeners) listener();
}
