// Runs a reviewer or a check to its end: output to files, so that what it says outlives the hook, and bounded; a process
// group of its own, and a watcher that ends it when we are gone; a deadline; its whole family ended in every
// case.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { familyOfChild } from '../../processes/end.ts';
import { ATTEMPT_VARIABLE } from '../../processes/table.ts';
import { keepLooking, orDismiss, startWatcher } from '../../processes/watcher.ts';
import type { Environment } from '../../store/environment.ts';
import { isOnPath } from '../../store/on-path.ts';

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
  /** Descriptors of files, the caller's to close. The same one for both: what it prints is kept in the order in which it was printed. */
  stdout: number;
  stderr: number;
  /** Where it prints into a pipe. */
  hasFlooded?: (() => boolean) | undefined;
  deadlineMs: number;
  /** Calls back when the hook itself is asked to end. */
  whenAskedToEnd(listener: () => void): void;
  /** Called before an interrupted program is ended: our note must be down before anything dies. */
  interrupted(): Promise<void>;
};

const MOST_MEGABYTES = 64;
export const MOST_PRINTED = MOST_MEGABYTES * 1024 * 1024;

export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  if (!isOnPath(run.command.program, run.programEnv)) return { kind: 'missing' };
  // Listening before anything is started; and a signal that came already is heard only when the loop turns.
  const cut = whenCut(run);
  await new Promise(setImmediate);
  const early = await cut.soFar();
  if (early?.kind === 'interrupted') await run.interrupted();
  try {
    return early ?? (await runUntil(run, cut.promise));
  } finally {
    cut.forget();
  }
}

async function runUntil(run: ProgramRun, cut: Promise<ProgramEnd>): Promise<ProgramEnd> {
  // This very file: the chunk that it is in exports `endProgram`.
  const watcher = startWatcher({ ...run, ending: __filename });
  const child = orDismiss(watcher, () => start(run));
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once('error', () => resolve({ kind: 'missing' }));
    child.once('exit', (code, signal) => resolve(exitedWith(code, signal)));
  });
  if (child.pid === undefined) {
    watcher.dismiss();
    return ended;
  }
  watcher.watch(child.pid);
  const family = familyOfChild(run.attempt, child.pid);
  const forgetFamily = keepLooking(family);
  const end = await Promise.race([ended, cut]);
  forgetFamily();
  try {
    if (end.kind === 'interrupted') await run.interrupted();
  } finally {
    await family.end();
    watcher.dismiss();
    child.unref();
  }
  return end.kind === 'exited' && hasFlooded(run) ? FLOODED : end;
}

/** As a shell counts: null would read as "nobody saw it end", and a program that was killed has not run to its end. */
async function exitedWith(code: number | null, signal: NodeJS.Signals | null): Promise<ProgramEnd> {
  if (code !== null || signal === null) return { kind: 'exited', code: code ?? 128 };
  // Loaded here alone: hardly any program is killed.
  const { default: os } = await import('node:os');
  return { kind: 'exited', code: 128 + os.constants.signals[signal] };
}

function start(run: ProgramRun): ChildProcess {
  return spawn(run.command.program, run.command.args, {
    cwd: run.cwd,
    env: { ...run.programEnv, [ATTEMPT_VARIABLE]: run.attempt },
    detached: true,
    stdio: ['ignore', run.stdout, run.stderr],
  });
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

export const FLOODED: ProgramEnd = { kind: 'flooded', megabytes: MOST_MEGABYTES };

/** Its files grow as fast as the disk takes it. A limit of the system's would bind the files it makes, too. */
function hasFlooded({ stdout, stderr, ...run }: ProgramRun): boolean {
  if (run.hasFlooded !== undefined) return run.hasFlooded();
  const files = stdout === stderr ? [stdout] : [stdout, stderr];
  const sizes = files.map((file) => fs.fstatSync(file).size);
  return sizes.reduce((sum, size) => sum + size, 0) > MOST_PRINTED;
}
