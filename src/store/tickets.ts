// A run started in a plain terminal belongs to "the next session here". The ticket for it lies in the
// user's own state folder, where no cloned repository can put one, and lasts ten minutes.

import type { Environment } from './environment.ts';
import { fingerprint } from './fingerprint.ts';
import { type Check, hasShape, isListOf, isNumber, isText } from './shape.ts';
import { changeUserRecord, hasUserRecord, readUserRecord } from './user-state.ts';

const LASTS_MS = 10 * 60 * 1000;

/** A run that waits, and until when: a ticket left later must not give it more time. */
type Waiting = { run: string; expires: number };
type Ticket = { root: string; waiting: readonly Waiting[] };
const isTicket = hasShape<Ticket>({
  root: isText,
  waiting: isListOf(hasShape<Waiting>({ run: isText, expires: isNumber })),
});

/** As earlier versions wrote it: one time for all runs. */
type OldTicket = { root: string; runs: readonly string[]; expires: number };
const isOldTicket = hasShape<OldTicket>({ root: isText, runs: isListOf(isText), expires: isNumber });

const isAnyTicket: Check<Ticket | OldTicket> = (value) => isTicket(value) || isOldTicket(value);

/** Leaves a ticket for the next session that stops in this project. */
export function leaveTicket(root: string, run: string, now: number, env: Environment): void {
  changeTicket(root, now, env, (waiting) => [...without(waiting, run), { run, expires: now + LASTS_MS }]);
}

/** The run is a session's now, or nobody's at all: the next session must not get it. Under the project's lock. */
export function dropTicket(root: string, run: string, now: number, env: Environment): void {
  if (hasTickets(root, env)) changeTicket(root, now, env, (waiting) => without(waiting, run));
}

/** Cheap enough to ask at every stop. */
export function hasTickets(root: string, env: Environment): boolean {
  return hasUserRecord(env, placeOf(root));
}

/** Not one whose time is over. */
export function isRunWaiting(root: string, now: number, env: Environment): boolean {
  return hasTickets(root, env) && waitingRuns(root, now, env).length > 0;
}

/** The names of the runs that the next session here gets. */
export function waitingRuns(root: string, now: number, env: Environment): readonly string[] {
  return waitingIn(readUserRecord(env, placeOf(root), isAnyTicket), root, now).map(({ run }) => run);
}

/**
 * Takes what is waiting for this project (an expired ticket is thrown away); under the project's lock, so that only
 * one session gets it. Each run is given away before its ticket goes: a crash in between must not lose it.
 */
export function takeTickets(
  root: string,
  now: number,
  env: Environment,
  give: (run: string) => void = () => {},
): readonly string[] {
  if (!hasTickets(root, env)) return [];
  const runs: string[] = [];
  changeTicket(root, now, env, (waiting) => {
    for (const { run } of waiting) runs.push(run);
    for (const run of runs) give(run);
    return [];
  });
  return runs;
}

function changeTicket(
  root: string,
  now: number,
  env: Environment,
  change: (waiting: readonly Waiting[]) => readonly Waiting[],
): void {
  changeUserRecord(env, placeOf(root), isAnyTicket, (ticket) => {
    const waiting = change(waitingIn(ticket, root, now));
    return waiting.length === 0 ? null : { root, waiting };
  });
}

function waitingIn(ticket: Ticket | OldTicket | null, root: string, now: number): readonly Waiting[] {
  if (ticket === null || ticket.root !== root) return [];
  const all = 'waiting' in ticket ? ticket.waiting : inNewForm(ticket);
  return all.filter(({ expires }) => expires >= now);
}

function inNewForm({ runs, expires }: OldTicket): readonly Waiting[] {
  return runs.map((run) => ({ run, expires }));
}

function without(waiting: readonly Waiting[], run: string): Waiting[] {
  return waiting.filter((other) => other.run !== run);
}

const placeOf = (root: string): string => `next-session/${fingerprint(root)}.json`;
