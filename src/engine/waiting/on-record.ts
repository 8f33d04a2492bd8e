// What a run's sidecar says about waits, from one stop or command to the next. Pure.

import { NO_WAITS, type Sidecar, type Waiting, type Waits } from '../../store/records.ts';
import type { Movement } from '../guard/guard.ts';
import { endOfWait, isOver, waitedInAll } from './clock.ts';
import type { WaitAnswer } from './wait.ts';

/** A wait begins, by a command or an event: what was waited for up to now is over, and its time is counted. */
export function beginWait(sidecar: Sidecar, waiting: Waiting, now: number): Sidecar {
  return withWait(sidecar, { waiting, ended: sidecar.waiting ?? null }, now);
}

/**
 * Another session takes the run over: it shows the question, and nothing else of the former one's is waited for there.
 * That may have come with the repository; and a reviewer that still is at its limit says so again.
 */
export function handedOver(known: Sidecar, now: number): Sidecar {
  const sidecar = { ...known, takenOver: now };
  const { waiting } = sidecar;
  if (waiting === undefined) return sidecar;
  if (waiting.for !== 'person' || waiting.capped)
    return withWait(sidecar, { waiting: null, ended: waiting }, now);
  return isOver(waiting, now) ? sidecar : { ...sidecar, waiting: { ...waiting, shown: null } };
}

/** What a stop made of it. The sidecar itself where nothing changes. */
export function withWait(
  sidecar: Sidecar,
  { waiting, ended }: Pick<WaitAnswer, 'waiting' | 'ended'>,
  now: number,
): Sidecar {
  const isSame = JSON.stringify(waiting ?? undefined) === JSON.stringify(sidecar.waiting);
  if (isSame && ended === null) return sidecar;
  const next = { ...sidecar, waiting: waiting ?? undefined };
  if (ended === null) return next;
  const waits = sidecar.waits ?? NO_WAITS;
  return { ...next, waits: { ...waits, waited: waitedInAll(waits.waited, ended, now) } };
}

/** What began and what ended between two records of a wait, for the journal. A question has lines of its own. */
export function waitChange(before: Waiting | undefined, after: Waiting | undefined): WaitChange[] {
  const [was, is] = [before, after].map((wait) => (isJournaled(wait) ? wait : undefined));
  if (was?.for === is?.for && was?.reviewer === is?.reviewer) return [];
  return [
    ...(was === undefined ? [] : [{ what: 'ended' as const, wait: was }]),
    ...(is === undefined ? [] : [{ what: 'began' as const, wait: is }]),
  ];
}

/** Not one that is only kept on record so that it does not begin again. */
function isJournaled(wait: Waiting | undefined): boolean {
  if (wait === undefined || endOfWait(wait) <= wait.since) return false;
  return wait.for !== 'person' || wait.pause === true;
}

export type WaitChange = { what: 'began' | 'ended'; wait: Waiting };

/** The run's budget is spent, or was: the time it was paused takes nothing off its age. */
export function withPause(sidecar: Sidecar, pausedAt: number | null, now: number): Sidecar {
  if ((sidecar.paused ?? null) === pausedAt) return sidecar;
  if (pausedAt !== null) return { ...sidecar, paused: pausedAt };
  const { paused = now, waits = NO_WAITS, ...rest } = sidecar;
  const waited = Math.min(Number.MAX_SAFE_INTEGER, waits.waited + Math.max(0, now - paused));
  return { ...rest, waits: { ...waits, waited } };
}

/** Questions in a row, with no work between them. One more is noted too: to be refused is no work. */
export const MOST_IN_A_ROW = 3;

export type StepTaken = {
  /** The hook's commit changes the state: from then on its age is counted from none. */
  moves: boolean;
  held: boolean;
  /** What others moved since the last hold; null: nobody looked. */
  movement: Movement | null;
  /** The question that this very stop found answered. */
  answered: Waiting | null;
};

export function waitsAfter(waits: Waits | undefined, taken: StepTaken): Waits | undefined {
  if (waits === undefined) return undefined;
  const { moves, held, movement, answered } = taken;
  const isProgress =
    movement !== null &&
    (movement.state || movement.artifacts || movement.tools === 'yes') &&
    !movement.waited;
  const isRefused = waits.questions > MOST_IN_A_ROW;
  return {
    ...waits,
    ...(moves ? { waited: 0 } : {}),
    ...(held ? { callsAtHold: waits.calls } : {}),
    // Asking is a tool call too: the row of questions ends with a turn in which the agent worked and asked nothing.
    ...(held && isProgress && answered === null && !isRefused ? { questions: 0 } : {}),
    ...(held && isRefused ? { questions: MOST_IN_A_ROW } : {}),
  };
}
