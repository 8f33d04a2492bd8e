// The clock of a run: it stands still while the run waits, and while it is paused. Pure.

import type { Sidecar, Waiting } from '../../store/records.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Where nobody knows when it is over: a reviewer is asked again soon, a session comes back by itself or not at all. */
const UNKNOWN = { session: DAY, reviewer: 10 * MINUTE };

/** Whatever a record says, no wait is longer: as long as the settings allow, and a weekly limit with a day to spare. */
const LONGEST = { work: DAY, person: 366 * DAY, limit: 8 * DAY };

/** When the wait is over at the latest. */
export function endOfWait({ for: what, since, until, reviewer }: Waiting): number {
  const end = until ?? since + (reviewer === undefined ? UNKNOWN.session : UNKNOWN.reviewer);
  return Math.min(end, since + LONGEST[what]);
}

/**
 * One that is still to begin was written while the clock was ahead. What is left of it nobody knows: a limit is asked for
 * again, and work is waited for from now on. A person's turn stays theirs, but for one that begins tomorrow.
 */
const AHEAD = { work: MINUTE, limit: MINUTE, person: DAY };

export function isAhead({ for: what, since }: Waiting, now: number): boolean {
  return now < since - AHEAD[what];
}

export function isOver(waiting: Waiting, now: number): boolean {
  return now >= endOfWait(waiting) || isAhead(waiting, now);
}

/** What the run waits for now; null: for nothing. */
export function waitingNow({ waiting }: Sidecar, now: number): Waiting | null {
  return waiting === undefined || isOver(waiting, now) ? null : waiting;
}

/** The time as the run sees it: by this its age is judged. */
export function clockOf(sidecar: Sidecar, now: number): number {
  return clockWith(sidecar, now, waitedSoFar);
}

/** The same at a stop of its session, which is back then, however long it was at a limit. */
export function clockAtStop(sidecar: Sidecar, now: number): number {
  return clockWith(sidecar, now, waitedAtStop);
}

/** Milliseconds of a wait that ends at this stop. */
export function waitedAtStop(waiting: Waiting, now: number): number {
  const isAwayOver = waiting.for === 'limit' && waiting.reviewer === undefined;
  return isAwayOver ? atLeastNone(now - waiting.since) : waitedSoFar(waiting, now);
}

/** What was waited in all, when that wait ends at this stop. A record may say anything, and has to stay one. */
export function waitedInAll(waited: number, ended: Waiting, now: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, waited + waitedAtStop(ended, now));
}

/** A question that nobody answered in time takes nothing off the run's age. */
function waitedSoFar(waiting: Waiting, now: number): number {
  if (waiting.for === 'person' && isOver(waiting, now)) return 0;
  return atLeastNone(Math.min(now, endOfWait(waiting)) - waiting.since);
}

type Length = (waiting: Waiting, now: number) => number;

function clockWith({ waiting, waits, paused }: Sidecar, now: number, length: Length): number {
  const at = Math.min(now, paused ?? now);
  return at - (waits?.waited ?? 0) - (waiting === undefined ? 0 : length(waiting, at));
}

/** Whole, as the record wants it: a client may give fractions of a second. */
function atLeastNone(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds));
}
