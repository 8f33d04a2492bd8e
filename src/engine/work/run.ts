// Runs a reviewer or a check to its end: output to files, so that what it says outlives the hook, and bounded; a process
// group of its own, and a watcher beside it that ends it when we are gone; a deadline; its whole family ended in every
// case.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { Writable } from 'node:stream';
import type { Environment } from '../../store/environment.ts';
import { isOnPath } from '../../store/on-path.ts';
import { type Family, familyOfChild } from './end.ts';
import { ATTEMPT_VARIABLE } from './processes.ts';

export type ProgramEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'missing' }
  | { kind: 'timed-out' }
  /** It printed more than so many megabytes. */
  | { kind: 'flooded'; megabytes: number }
  | { kind: 'interrupted' };

export type ProgramRun = {
  attempt: string;
  /** No shell reads it. */
  command: { program: string; args: readonly string[] };
  cwd: string;
  /** Of the program (environment.ts). */
  programEnv: Environment;
  /** The hook's own. */
  env: Environment;
  /** Files. The same one for both: what it prints is kept in the order in which it was printed. */
  stdout: string;
  stderr: string;
  deadlineMs: number;
  /** Calls back when the hook itself is asked to end. */
  whenAskedToEnd(listener: () => void): void;
  /** Called before an interrupted program is ended: our note must be down before anything dies. */
  interrupted(): Promise<void>;
};

// Becomes the program when the hook says so; a hook that is killed before starts nothing.
const PROGRAM = 'read -r _ <&3 || exit 1; exec 3<&-; exec "$@"';

// Waits on the pipe from the hook: a line means a normal end, a broken pipe that the hook was killed. Then the group
// stands still at once, and the family is ended, with this very file, or, if that has gone, at least the group.
const WATCHER =
  'read -r _ && exit 0; kill -s STOP -- "-$5"; "$1" -e "$2" "$3" "$4" "$5" || kill -s KILL -- "-$5"';
const END = 'require(process.argv[1]).endProgram(process.argv[2], Number(process.argv[3]))';

const MOST_MEGABYTES = 64;

export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  if (!isOnPath(run.command.program, run.programEnv)) return { kind: 'missing' };
  // Listening before anything is started; and a signal that came already is heard only when the loop turns.
  const cut = whenCut(run);
  await new Promise(setImmediate);
  const early = await cut.soFar();
  if (early?.kind === 'interrupted') await run.interrupted();
  const end = early ?? (await runUntil(run, cut.promise));
  cut.forget();
  return end;
}

async function runUntil(run: ProgramRun, cut: Promise<ProgramEnd>): Promise<ProgramEnd> {
  const child = start(run);
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('error', () => resolve({ kind: 'missing' }));
    child.once('exit', (code, signal) => resolve({ kind: 'exited', code: code ?? codeOf(signal) }));
  });
  if (child.pid === undefined) return ended;
  const family = familyOfChild(run.attempt, child.pid);
  const watcher = startWatcher(run, child.pid);
  write(child.stdio[3], 'go');
  const forgetFamily = keepLooking(family);
  const end = await Promise.race([ended, cut]);
  forgetFamily();
  try {
    if (end.kind === 'interrupted') await run.interrupted();
  } finally {
    await family.end();
    write(watcher.stdin, 'done');
    child.unref();
    watcher.unref();
  }
  return end.kind === 'exited' && hasFlooded(run) ? FLOODED : end;
}

/** As a shell counts: null would read as "nobody saw it end", and a program that was killed has not run to its end. */
function codeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : os.constants.signals[signal]);
}

function start(run: ProgramRun): ChildProcess {
  const stdout = fs.openSync(run.stdout, 'w', 0o600);
  const stderr = run.stderr === run.stdout ? stdout : fs.openSync(run.stderr, 'w', 0o600);
  try {
    return spawn('/bin/sh', ['-c', PROGRAM, 'holdfast-program', run.command.program, ...run.command.args], {
      cwd: run.cwd,
      env: { ...run.programEnv, [ATTEMPT_VARIABLE]: run.attempt },
      detached: true,
      stdio: ['ignore', stdout, stderr, 'pipe'],
    });
  } finally {
    fs.closeSync(stdout);
    if (stderr !== stdout) fs.closeSync(stderr);
  }
}

/** In a session of its own, so that it outlives whoever kills the hook with its group, and not one of the family. */
function startWatcher({ attempt, env }: ProgramRun, leader: number): ChildProcess {
  const ending = [process.execPath, END, __filename, attempt, String(leader)];
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'holdfast-watcher', ...ending], {
    cwd: '/',
    env: { ...env, NODE_OPTIONS: undefined, [ATTEMPT_VARIABLE]: undefined },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the program runs all the same; the next stop ends what it left.
  watcher.on('error', () => {});
  return watcher;
}

/** Every second, or less often where looking takes long. */
function keepLooking(family: Family): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const begun = Date.now();
    family.look();
    timer = setTimeout(look, Math.max(1000, 20 * (Date.now() - begun)));
  };
  timer = setTimeout(look, 200);
  return () => clearTimeout(timer);
}

type Cut = { promise: Promise<ProgramEnd>; soFar(): Promise<ProgramEnd | null>; forget(): void };

/** The deadline, the hook's own end or a flood, whichever comes first. */
function whenCut(run: ProgramRun): Cut {
  const timers: NodeJS.Timeout[] = [];
  const promise = new Promise<ProgramEnd>((resolve) => {
    timers.push(setTimeout(() => resolve({ kind: 'timed-out' }), run.deadlineMs));
    timers.push(setInterval(() => hasFlooded(run) && resolve(FLOODED), 200));
    run.whenAskedToEnd(() => resolve({ kind: 'interrupted' }));
  });
  return {
    promise,
    soFar: () => Promise.race([promise, Promise.resolve(null)]),
    forget: () => timers.forEach(clearTimeout),
  };
}

const FLOODED: ProgramEnd = { kind: 'flooded', megabytes: MOST_MEGABYTES };

/** Its files grow as fast as the disk takes it. A limit of the system's would bind the files it makes, too. */
function hasFlooded({ stdout, stderr }: ProgramRun): boolean {
  const files = stdout === stderr ? [stdout] : [stdout, stderr];
  const sizes = files.map((file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) > MOST_MEGABYTES * 1024 * 1024;
}

/** Not ended: that would make node open our standard error, for a millisecond. It closes with us. */
function write(pipe: ChildProcess['stdio'][number] | undefined, word: string): void {
  if (!(pipe instanceof Writable)) return;
  pipe.on('error', () => {}); // Its reader may be gone already.
  pipe.write(`${word}\n`);
}
