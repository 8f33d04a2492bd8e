// Sees to it that a program which we start does not outlive us: a watcher stands ready before it is started, waits on a
// pipe from us, and ends the program's whole family when that breaks.

import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { DRIVER_VARIABLE, type Environment } from '../store/environment.ts';
import type { Family } from './end.ts';
import { ATTEMPT_VARIABLE } from './table.ts';

// The first line on the pipe names the leader, the last one means a normal end, a broken pipe that we were killed. Then
// the group stands still at once, and the family is ended, with a file of ours, or, if that has gone, at least the group.
// Killed before the leader is named, we may have started it all the same: then the family is found by its mark.
const WATCHER = [
  'read -r leader; [ "$leader" = done ] && exit 0; read -r _ && exit 0',
  '[ -z "$leader" ] || kill -s STOP -- "-$leader"',
  '"$1" -e "$2" "$3" "$4" "$leader" || [ -z "$leader" ] || kill -s KILL -- "-$leader"',
].join('; ');
const END = 'require(process.argv[1]).endProgram(process.argv[2], Number(process.argv[3]) || null)';

export type Watched = {
  attempt: string;
  /** Our own. */
  env: Environment;
  /** A built file of ours that exports `endProgram`. */
  ending: string;
};

export type Watcher = {
  /** Once the program is started: it leads the group that is to end with us. */
  watch(leader: number): void;
  /** All has ended as it should. */
  dismiss(): void;
};

/** In a session of its own, so that it outlives whoever kills us with our group, and not one of the family. */
export function startWatcher({ attempt, env, ending }: Watched): Watcher {
  const args = [process.execPath, END, ending, attempt];
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'holdfast-watcher', ...args], {
    cwd: '/',
    env: { ...env, NODE_OPTIONS: undefined, [ATTEMPT_VARIABLE]: undefined, [DRIVER_VARIABLE]: undefined },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the program runs all the same; whoever looks next ends what it left.
  watcher.on('error', () => {});
  return {
    watch: (leader) => writeLine(watcher.stdin, String(leader)),
    dismiss() {
      writeLine(watcher.stdin, 'done');
      watcher.unref();
    },
  };
}

/** A start that throws has started nothing, and we would wait for a watcher that waits for us. */
export function orDismiss<Child>(watcher: Watcher, start: () => Child): Child {
  try {
    return start();
  } catch (error) {
    watcher.dismiss();
    throw error;
  }
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
