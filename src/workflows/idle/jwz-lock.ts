// `.jwz/lock`, the lock of the `jwz` tool itself: whoever posts with that tool holds it (flock) from reading the log
// to the end of its write, and writes a line in pieces. Holdfast's own lock is of another kind (fcntl), which such a
// lock does not see, so this one is taken as well where the file is there.

import fs from 'node:fs';
import type { Environment } from '../../store/environment.ts';
import { LockBusy } from '../../store/lock.ts';
import { withoutProjectOnPath } from '../../store/on-path.ts';
import { openInside, realPath } from '../../store/open.ts';
import { below } from '../../store/paths.ts';

const LOCK_FILE = '.jwz/lock';
const PATIENCE_MS = 2000;
const BETWEEN_TRIES_MS = 20;

type Here = { root: string; env: Environment };

/**
 * Under Holdfast's own lock, before the log is read for a change. Held until this piece of work is done: reading,
 * deciding and writing are one piece without a pause, and the event loop comes to `setImmediate` only behind it. The
 * kernel gives it back when we die. Costs a look at one name where nobody uses `jwz`.
 */
export function holdJwzLock({ root, env }: Here): void {
  if (held.has(root)) return;
  const file = below(root, LOCK_FILE);
  const descriptor = openQuietly(file, root);
  if (descriptor === null) return;
  let isTaken = false;
  try {
    isTaken = takeLock(descriptor, file, withoutProjectOnPath(env, root));
  } finally {
    if (!isTaken) fs.closeSync(descriptor);
  }
  if (!isTaken) return;
  held.add(root);
  setImmediate(() => {
    held.delete(root);
    fs.closeSync(descriptor);
  });
}

const held = new Set<string>();

/** False: no `flock` here (macOS), so that this lock cannot be had, and ours alone must do. */
function takeLock(descriptor: number, shown: string, env: Environment): boolean {
  const begin = performance.now();
  for (;;) {
    const answer = tryFlock(descriptor, env);
    if (answer !== 'busy') return answer === 'taken';
    if (performance.now() - begin >= PATIENCE_MS)
      throw new LockBusy(`jwz still holds ${shown} after ${PATIENCE_MS} ms; try again when it has ended.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_TRIES_MS);
  }
}

/**
 * Node has no flock of its own. The program `flock` locks the descriptor it inherits from us; such a lock belongs to
 * the open file, not to the process, and so stays with us when the program ends. Without `-w`, which busybox lacks.
 */
function tryFlock(descriptor: number, env: Environment): 'taken' | 'busy' | 'missing' {
  const stdio = ['ignore' as const, 'ignore' as const, 'ignore' as const, descriptor];
  const { status } = childProcess().spawnSync('flock', ['-x', '-n', '3'], {
    env,
    stdio,
    timeout: PATIENCE_MS,
  });
  if (status === 0) return 'taken';
  return status === 1 ? 'busy' : 'missing';
}

/** Loaded only where it is needed: it costs every stop a millisecond. */
function childProcess(): typeof import('node:child_process') {
  return typeof require === 'function'
    ? require('node:child_process')
    : process.getBuiltinModule('node:child_process');
}

/** A folder or something unreadable in the lock's place is no lock that jwz could hold. */
function openQuietly(file: string, root: string): number | null {
  try {
    return openInside(file, root);
  } catch {
    return null;
  }
}

/** For a person who starts a loop: whether `jwz` is used here and its lock cannot be had. */
export function missesJwzLock({ root, env }: Here): boolean {
  const real = realPath(below(root, LOCK_FILE));
  if (real === null) return false;
  const { error } = childProcess().spawnSync('flock', ['--help'], {
    env: withoutProjectOnPath(env, root),
    stdio: 'ignore',
    timeout: PATIENCE_MS,
  });
  return error !== undefined;
}
