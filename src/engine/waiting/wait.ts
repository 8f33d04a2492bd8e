// Does a run wait at this stop, or does it go on? Asked before every hold, review and claim that needs checks. Pure;
// the order is that of docs/contracts/waiting.md: a question, a reviewer's limit, the session's own, work that runs.

import type { Waiting } from '../../store/records.ts';
import { endOfWait, isAhead, isOver } from './clock.ts';

/** For the journal too: with this, the same answer comes again. */
export type WaitQuestion = {
  now: number;
  /** What the run would do. */
  step: 'hold' | 'review' | 'prove';
  /** What it waited for up to now. */
  waiting: Waiting | null;
  /** What runs in the background and wakes the agent; null: nothing. */
  work: string | null;
  /** Did a person begin a turn since the question was shown? Null: there is none, or it was not shown yet. */
  answered: 'yes' | 'no' | null;
  /** How long it waits for work at most, in milliseconds. */
  limits: { work: number };
};

/** `ended`: a wait that is over now, and whose time is to be counted. */
export type WaitAnswer =
  /** `news`: the user is to be told. */
  | { kind: 'waits'; waiting: Waiting; news: boolean; ended: Waiting | null }
  | { kind: 'goes-on'; waiting: Waiting | null; ended: Waiting | null };

export function waitAt(question: WaitQuestion): WaitAnswer {
  const { now, step, waiting, answered } = question;
  if (waiting === null) return waitForWork(question, null, null);
  if (waiting.for === 'person') {
    const isOpen = answered !== 'yes' && !isOver(waiting, now);
    if (isOpen) return { kind: 'waits', waiting, news: isUnshown(waiting), ended: null };
    return waitForWork(question, null, isOver(waiting, now) ? null : waiting);
  }
  if (waiting.for === 'work')
    return isAhead(waiting, now)
      ? waitForWork(question, null, waiting)
      : waitForWork(question, waiting, null);
  // A stop means that the session is back.
  if (waiting.reviewer === undefined) return waitForWork(question, null, waiting);
  if (isOver(waiting, now)) return waitForWork(question, null, waiting);
  if (step === 'review') return { kind: 'waits', waiting, news: false, ended: null };
  const beside = waitForWork(question, null, waiting);
  return beside.kind === 'waits' ? beside : { ...beside, waiting: countedUpTo(now, waiting) };
}

/** What stays on record when the run goes on: as long as it was, but without the time that is counted now. */
function countedUpTo(now: number, waiting: Waiting): Waiting {
  const until = endOfWait(waiting);
  return { ...waiting, since: Math.min(now, until), until };
}

/** A question that the user has not been shown. */
export function isUnshown(waiting: Waiting | null | undefined): boolean {
  return waiting?.for === 'person' && (waiting.shown ?? null) === null;
}

/** `before`: another wait, which ended at this stop. */
function waitForWork(
  { now, work, limits }: WaitQuestion,
  known: Waiting | null,
  before: Waiting | null,
): WaitAnswer {
  if (work === null) return { kind: 'goes-on', waiting: null, ended: known ?? before };
  const waiting: Waiting = {
    ...(known ?? { for: 'work', since: now, until: now + limits.work }),
    what: work,
  };
  if (!isOver(waiting, now)) return { kind: 'waits', waiting, news: false, ended: before };
  // On record it stays, so that the same work is not waited for again.
  const over = countedUpTo(now, waiting);
  return { kind: 'goes-on', waiting: { ...over, until: over.since }, ended: known ?? before };
}
