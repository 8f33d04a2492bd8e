// Runs a reviewer to its end: output to files, so that a verdict outlives the hook; a process group of its
// own with a pipe to us, so that it ends when we are gone; a deadline; its whole tree ended when told to.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import type { Writable } from 'node:stream';
import type { Environment } from '../store/environment.ts';
import { ATTEMPT_VARIABLE, endReviewer } from './end.ts';
import { reviewerEnvironment } from './environment.ts';
import type { ReviewerCommand } from './reviewer.ts';

export type ReviewerEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'missing' }
  | { kind: 'timed-out' }
  | { kind: 'interrupted' };

export type ReviewerRun = {
  attempt: string;
  command: ReviewerCommand;
  cwd: string;
  /** The hook's own. */
  env: Environment;
  stdout: string;
  stderr: string;
  deadlineMs: number;
  /** Calls back when the hook itself is told to end. */
  whenToldToEnd(listener: () => void): void;
  /** Called before an interrupted reviewer is ended: our note must be down before anything dies. */
  interrupted(): Promise<void>;
};

// The group's leader is this shell until it becomes the reviewer. Its child waits on the pipe from the
// hook: a line means a normal end, a broken pipe means that the hook was killed, and then the group goes.
const WATCHED =
  '(read -r _ <&3 || { kill -s INT -- -$$; sleep 1; kill -s KILL -- -$$; }) >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export async function runReviewer(run: ReviewerRun): Promise<ReviewerEnd> {
  if (!isOnPath(run.command.program, run.env)) return { kind: 'missing' };
  const child = start(run);
  const ended = new Promise<ReviewerEnd>((resolve) => {
    child.once('error', () => resolve({ kind: 'missing' }));
    child.once('exit', (code, signal) => resolve({ kind: 'exited', code: code ?? codeOf(signal) }));
  });
  if (child.pid === undefined) return ended;
  const cut = whenCut(run);
  const end = await Promise.race([ended, cut.promise]);
  cut.forget();
  try {
    if (end.kind === 'interrupted') await run.interrupted();
  } finally {
    if (end.kind !== 'exited') await endReviewer(run.attempt, child.pid);
    tellNormalEnd(child);
  }
  return end;
}

/** As a shell counts: null would read as "nobody saw it end", and a reviewer that was killed has not run to its end. */
function codeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : os.constants.signals[signal]);
}

function start(run: ReviewerRun): ChildProcess {
  const stdout = fs.openSync(run.stdout, 'w', 0o600);
  const stderr = fs.openSync(run.stderr, 'w', 0o600);
  try {
    return spawn('/bin/sh', ['-c', WATCHED, 'holdfast-reviewer', run.command.program, ...run.command.args], {
      cwd: run.cwd,
      env: { ...reviewerEnvironment(run.env), ...run.command.env, [ATTEMPT_VARIABLE]: run.attempt },
      detached: true,
      stdio: ['ignore', stdout, stderr, 'pipe'],
    });
  } finally {
    fs.closeSync(stdout);
    fs.closeSync(stderr);
  }
}

/** The deadline or the hook's own end, whichever comes first. */
function whenCut(run: ReviewerRun): { promise: Promise<ReviewerEnd>; forget(): void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<ReviewerEnd>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timed-out' }), run.deadlineMs);
    run.whenToldToEnd(() => resolve({ kind: 'interrupted' }));
  });
  return { promise, forget: () => clearTimeout(timer) };
}

function tellNormalEnd(child: ChildProcess): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on('error', () => {}); // The watcher may be gone already.
  // Not ended: that would make node open our standard error, for a millisecond. It closes with us.
  pipe?.write('done\n');
  child.unref();
}

function isOnPath(program: string, env: Environment): boolean {
  if (program.includes('/')) return isExecutable(program);
  return (env.PATH ?? '').split(':').some((folder) => folder !== '' && isExecutable(`${folder}/${program}`));
}

function isExecutable(file: string): boolean {
  try {
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
