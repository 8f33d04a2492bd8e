// One process of a client without a terminal: started with a watcher beside it, its output read line by line into
// events, its input kept for prompts, its whole family ended in every case.

import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type Family, familyOfChild, type Patience } from '../../processes/end.ts';
import { ATTEMPT_VARIABLE } from '../../processes/table.ts';
import { keepLooking, orDismiss, startWatcher } from '../../processes/watcher.ts';
import type { Environment } from '../../store/environment.ts';
import { hasCode } from '../../store/files.ts';
import { commandOutside } from '../../store/on-path.ts';
import type { HeadlessClient, HeadlessEvent, Trouble } from '../headless.ts';
import { EventQueue } from './event-queue.ts';
import { Lines } from './lines.ts';
import { Tail } from './tail.ts';
import { unknownTrouble } from './trouble.ts';

export type ClientStart = {
  program: string;
  args: readonly string[];
  root: string;
  /** Of the client (environment.ts). */
  clientEnv: Environment;
  /** The driver's own. */
  env: Environment;
  reader: StreamReader;
  /** What it reads first; `open`: its input stays open for more. */
  input: { text: string; open: boolean };
  /** A built file of ours that exports `endProgram`. */
  ending: string;
};

/** What one client's output says. One reader per process: it may remember. Never throws. */
export type StreamReader = {
  line(line: string): readonly HeadlessEvent[];
  /** What is known only now that it has ended: where no line of its says that a turn is over. */
  ended?(): readonly HeadlessEvent[];
  /** What was wrong when it ended; `stderr` is the end of what it complained of. */
  trouble(stderr: string, failed: boolean): Trouble | null;
};

export type StartedClient = Omit<HeadlessClient, 'send'> & {
  /** False: it reads no more. */
  write(text: string): boolean;
};

/** As people quit a client: it winds up its own work, and a hook of ours notes what it was at. */
const GENTLY: Patience = { SIGINT: 4000, SIGTERM: 2000, SIGKILL: 2000 };
const AT_ONCE: Patience = { SIGINT: 0, SIGTERM: 0, SIGKILL: 2000 };

/** A client lives for hours, and most of what it starts carries our mark. */
const LOOK_EVERY_MS = 5000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export function startClient(start: ClientStart): StartedClient {
  const { program, clientEnv, env, ending } = start;
  const [file, ...before] = commandOutside(program, clientEnv, start.root) ?? [];
  if (file === undefined) return notStarted((say) => say(`\`${program}\` was not found on PATH`));
  const attempt = randomUUID();
  const watcher = startWatcher({ attempt, env, ending });
  const options: SpawnOptions = {
    cwd: start.root,
    env: { ...clientEnv, [ATTEMPT_VARIABLE]: attempt },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  };
  const child = orDismiss(watcher, () => spawn(file, [...before, ...start.args], options)) as Child;
  const leader = child.pid;
  if (leader === undefined) {
    watcher.dismiss();
    return notStarted((say) => child.once('error', (error) => say(whyNotStarted(error, start))));
  }
  watcher.watch(leader);
  const family = familyOfChild(attempt, leader);
  const forget = keepLooking(family, LOOK_EVERY_MS);
  const ends = endings(family, () => {
    forget();
    watcher.dismiss();
  });
  const events = eventsOf(child, start, ends.begin);
  return { pid: leader, events, write: writer(child, start.input), end: ends.end };
}

/** What the child prints, and its end, which comes when all of its family has ended. */
function eventsOf(child: Child, { program, reader }: ClientStart, end: () => Promise<void>): EventQueue {
  const { stdout } = child;
  const queue = new EventQueue({ pause: () => stdout.pause(), resume: () => stdout.resume() });
  const lines = new Lines();
  const stderr = new Tail();
  const take = (line: string): void => {
    for (const event of reader.line(line)) queue.push(event);
  };
  stdout.on('data', (chunk: Buffer) => lines.push(chunk).forEach(take));
  stdout.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stderr.on('error', () => {});
  const over = (code: number | null, signal: string | null, failed: Trouble | null): void => {
    lines.rest().forEach(take);
    for (const event of reader.ended?.() ?? []) queue.push(event);
    const trouble = failed ?? reader.trouble(stderr.text(), code !== 0);
    queue.push({ kind: 'ended', code, signal, trouble });
  };
  child.once('error', (error) => over(null, null, unknownTrouble(`${program}: ${error.message}`)));
  // What it left running would keep its output open: that is ended first.
  child.once('exit', (code, signal) => {
    const closed = new Promise<void>((resolve) => stdout.once('close', () => resolve()));
    const isClosed = stdout.closed ? Promise.resolve() : closed;
    queue.drain();
    void end()
      .then(() => Promise.race([isClosed, later(2000)]))
      .then(() => over(code, signal, null));
  });
  return queue;
}

type Endings = { begin(): Promise<void>; end(how?: { atOnce: true }): Promise<void> };

/** However often it is asked for, and by whom: it is done once, and faster when somebody cannot wait. */
function endings(family: Family, done: () => void): Endings {
  let all: Promise<void> | null = null;
  const begin = (patience: Patience): Promise<void> => {
    all ??= family.end(patience).finally(done);
    return all;
  };
  return {
    begin: () => begin(GENTLY),
    async end(how) {
      if (how === undefined || all === null) return begin(how === undefined ? GENTLY : AT_ONCE);
      await Promise.all([family.end(AT_ONCE), all]);
    },
  };
}

function writer({ stdin }: Child, input: ClientStart['input']): (text: string) => boolean {
  stdin.on('error', () => {}); // It may have ended without reading.
  if (input.open) stdin.write(input.text);
  else stdin.end(input.text);
  return (text) => {
    if (!stdin.writable) return false;
    stdin.write(text);
    return true;
  };
}

/** It is on PATH: where something is not there, the system does not say what. */
function whyNotStarted(error: Error, { program, root }: ClientStart): string {
  const missing = fs.existsSync(root)
    ? 'the program that its first line names is missing'
    : `${root} is gone`;
  return `\`${program}\` could not be started: ${hasCode(error, 'ENOENT') ? missing : error.message}`;
}

function notStarted(tell: (say: (why: string) => void) => void): StartedClient {
  const queue = new EventQueue({ pause: () => {}, resume: () => {} });
  tell((why) => queue.push({ kind: 'ended', code: null, signal: null, trouble: unknownTrouble(why) }));
  return { pid: 0, events: queue, write: () => false, end: () => Promise.resolve() };
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
