// `holdfast wait`: for agents that need the result of something in the background. Blocks until it is over, but never
// longer than an agent's shell call may last. While it is called the guard counts no holds against the agent.

import os from 'node:os';
import { isatty } from 'node:tty';
import { isInsideClient, sessionsOf } from '../clients/index.ts';
import type { Project } from '../engine/project.ts';
import { calledInAll } from '../engine/waiting/calls.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../engine/workflow-cli.ts';
import { withLock } from '../store/lock.ts';
import { NO_WAITS } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { inOneLine } from '../store/trouble.ts';
import { describeSpan } from '../view/times.ts';
import { type Awaited, awaitedBy, wholeNumber } from './awaited.ts';
import { isOf, liveRunsOf } from './session-runs.ts';

/** Agents' shells cut a command at 120 s. */
const LONGEST_S = 100;
const LOOK_EVERY_MS = 250;
const NOT_OVER: ExitCode = 75;

/** For the lock. A client that cancels a command sends SIGKILL soon after SIGTERM. */
const PATIENCE_MS = 2_000;
const PATIENCE_WHEN_ENDED_MS = 1_000;

export const wait: Command = {
  name: 'wait',
  summary: `for agents: wait for something in the background, at most ${LONGEST_S} s a call`,
  usage: '[--pid N | --file F] [--for SECONDS]',
  help: `--pid N        until that process has ended
--file F       until that file is there; let your command make it at its end: npm test >log 2>&1; echo $? >done
--for SECONDS  at most so long, from 1 to ${LONGEST_S}
Exit code 0: it is over. 75: not yet, call it again. Without --pid and --file it only waits, and exits with 0.`,
  options: { pid: { type: 'string' }, file: { type: 'string' }, for: { type: 'string' } },
  // A reviewer may wait, too: then nothing is noted.
  writes: false,
  words: { least: 0, most: 0 },
  run: waitFor,
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];
type Ended = { by: 'itself' | 'time' } | { by: 'signal'; signal: Signal };

async function waitFor(call: Call): Promise<ExitCode> {
  if (Object.keys(call.flags).length === 0 && isatty(1) && !isInsideClient(call.env)) {
    call.print(
      'This is for agents: it blocks until what they started in the background is over (`holdfast help wait`).',
    );
    call.print('To see runs as they go: holdfast watch. To go on with one that stopped: holdfast resume.');
    return 2;
  }
  const longestMs = secondsGiven(call) * 1000;
  const awaited = awaitedBy(call);
  if (awaited?.isOver()) {
    call.print(awaited.overAtOnce);
    return 0;
  }
  const signals = catchSignals();
  const began = performance.now();
  // Before the wait, so that little is left to do when a signal ends it.
  const note = await notesOn(call);
  const ended = await blockUntilOver(awaited, began + longestMs, signals);
  const tookMs = performance.now() - began;
  const beside = await note(tookMs, ended.by === 'signal' ? PATIENCE_WHEN_ENDED_MS : PATIENCE_MS);
  call.print([lineOf(ended, awaited, describeSpan(tookMs)), ...beside].join(' '));
  if (ended.by === 'signal') return 128 + os.constants.signals[ended.signal];
  return ended.by === 'itself' || awaited === null ? 0 : NOT_OVER;
}

function secondsGiven({ flags }: Call): number {
  if (flags.for === undefined) return LONGEST_S;
  const seconds = wholeNumber(flags.for);
  if (seconds === null || seconds > LONGEST_S)
    throw new WrongUsage(`wait: --for takes a whole number of seconds from 1 to ${LONGEST_S}.`);
  return seconds;
}

function lineOf(ended: Ended, awaited: Awaited | null, span: string): string {
  if (ended.by === 'signal') return `Ended by ${ended.signal} after ${span} of waiting.`;
  if (awaited === null) return `Waited ${span}.`;
  return `After ${span}: ${ended.by === 'itself' ? awaited.over : awaited.notOver()}`;
}

type Signals = { first(): Signal | null; sleep(ms: number): Promise<void> };

/** A signal ends the wait and not us: what was waited is still to be noted. */
function catchSignals(): Signals {
  let first: Signal | null = null;
  let wake = (): void => {};
  for (const signal of SIGNALS)
    process.on(signal, () => {
      first ??= signal;
      wake();
    });
  return {
    first: () => first,
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

async function blockUntilOver(awaited: Awaited | null, deadline: number, signals: Signals): Promise<Ended> {
  for (;;) {
    const signal = signals.first();
    if (signal !== null) return { by: 'signal', signal };
    if (awaited?.isOver()) return { by: 'itself' };
    const left = deadline - performance.now();
    if (left <= 0) return { by: 'time' };
    await signals.sleep(Math.min(left, LOOK_EVERY_MS));
  }
}

/** Notes the call for the session's runs; answers with what the agent should know about that. Waiting never fails by it. */
type Note = (tookMs: number, patienceMs: number) => Promise<readonly string[]>;

async function notesOn(call: Call): Promise<Note> {
  const nothing: Note = async () => [];
  const sessions = sessionsOf(call.env);
  if (sessions.length === 0 || call.env.HOLDFAST_DISABLE === '1') return nothing;
  try {
    const project = await call.existing();
    const names = (await liveRunsOf(sessions, project)).map(({ name }) => name);
    if (project === null || names.length === 0) return nothing;
    return async (tookMs, patienceMs) => {
      try {
        const add = () => names.flatMap((name) => addCall(name, sessions, project, Math.round(tookMs)));
        return await withLock(project.home, patienceMs, add);
      } catch (error) {
        return [`It could not be noted for ${names.join(' and ')}: ${inOneLine(error, project.root)}`];
      }
    };
  } catch (error) {
    return async () => [`It could not be noted: ${inOneLine(error, null)}`];
  }
}

/** Under the lock. */
function addCall(name: string, sessions: readonly string[], project: Project, tookMs: number): string[] {
  const sidecar = readSidecar(project.root, name);
  if (!isOf(sidecar, sessions)) return [];
  const waits = sidecar.waits ?? NO_WAITS;
  // A record may say anything, and has to stay one.
  const add = (count: number, more: number): number => Math.min(Number.MAX_SAFE_INTEGER, count + more);
  const next = { ...waits, calls: add(waits.calls, 1), called: add(waits.called, tookMs) };
  writeSidecar(project.root, { ...sidecar, waits: next });
  const { workMs } = project.config.wait;
  if (calledInAll(next) <= workMs) return [];
  return [
    `${name} has used up its time for this (wait.work: ${describeSpan(workMs)}), so from now on it is a tool call like any other. If what you wait for does not end, go on without it.`,
  ];
}
