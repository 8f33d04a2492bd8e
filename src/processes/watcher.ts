// Sees to it that a program which we started does not outlive us: it is held back until a watcher stands beside it, which
// waits on a pipe from us and ends the program's whole family when that breaks.

import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { DRIVER_VARIABLE, type Environment } from '../store/environment.ts';
import type { Family } from './end.ts';
import { ATTEMPT_VARIABLE } from './table.ts';

/** Becomes the program when we say so (`letGo`, on the pipe 3); one whose starter is killed before starts nothing. */
const PROGRAM = 'read -r _ <&3 || exit 1; exec 3<&-; exec "$@"';

/** The program and arguments to spawn for a command line. No shell reads it. */
export function heldBack(program: string, args: readonly string[]): { program: string; args: string[] } {
  return { program: '/bin/sh', args: ['-c', PROGRAM, 'holdfast-program', program, ...args] };
}

export function letGo(child: ChildProcess): void {
  writeLine(child.stdio[3], 'go');
}

// A line on the pipe means a normal end, a broken pipe that we were killed. Then the group stands still at once, and the
// family is ended, with a file of ours, or, if that has gone, at least the group.
const WATCHER =
  'read -r _ && exit 0; kill -s STOP -- "-$5"; "$1" -e "$2" "$3" "$4" "$5" || kill -s KILL -- "-$5"';
const END = 'require(process.argv[1]).endProgram(process.argv[2], Number(process.argv[3]))';

export type Watched = {
  attempt: string;
  leader: number;
  /** Our own. */
  env: Environment;
  /** A built file of ours that exports `endProgram`. */
  ending: string;
};

export type Watcher = {
  /** All has ended as it should. */
  dismiss(): void;
};

/** In a session of its own, so that it outlives whoever kills us with our group, and not one of the family. */
export function startWatcher({ attempt, leader, env, ending }: Watched): Watcher {
  const args = [process.execPath, END, ending, attempt, String(leader)];
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'holdfast-watcher', ...args], {
    cwd: '/',
    env: { ...env, NODE_OPTIONS: undefined, [ATTEMPT_VARIABLE]: undefined, [DRIVER_VARIABLE]: undefined },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the program runs all the same; whoever looks next ends what it left.
  watcher.on('error', () => {});
  return {
    dismiss() {
      writeLine(watcher.stdin, 'done');
      watcher.unref();
    },
  };
}

/** Every so often, or less often where looking takes long: a member that was seen once is found again. */
export function keepLooking(family: Family, everyMs = 1000): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const begun = Date.now();
    family.look();
    timer = setTimeout(look, Math.max(everyMs, 20 * (Date.now() - begun)));
  };
  timer = setTimeout(look, 200);
  return () => clearTimeout(timer);
}

/** Not ended: that would make node open our standard error, for a millisecond. It closes with us. */
function writeLine(pipe: ChildProcess['stdio'][number] | undefined, word: string): void {
  if (!(pipe instanceof Writable)) return;
  pipe.on('error', () => {}); // Its reader may be gone already.
  pipe.write(`${word}\n`);
}
