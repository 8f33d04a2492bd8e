// How long a review, or the checks, may take at this stop: what the config allows, but never so long that the client
// would end the hook first. A review that is killed half-way was paid for nothing.

import type { Stop } from '../../clients/stop.ts';
import type { Project } from '../project.ts';

/** Fired by hand: nobody ends the hook but the person, and the hooks file's own limit is as good as any. */
const BY_HAND_S = 7200;
/** To end the reviewer, read its verdict and commit it. */
const RESERVE_S = 60;
/** No reviewer is done sooner, so none is started for less. */
const LEAST_S = 60;

export type TimeForReview =
  /** When the review must have ended. */
  | { kind: 'until'; deadline: number }
  /** The client gives no stop enough time. */
  | { kind: 'never' }
  /** Earlier runs of this stop used it up; the next stop has it again. */
  | { kind: 'used-up' };

/** For a review that begins now: a stop may have run others before it. */
export function timeForReview(
  { limitS = BY_HAND_S }: Stop,
  { now: stopBegan, config }: Project,
  now: number = Date.now(),
): TimeForReview {
  const mostS = limitS - RESERVE_S;
  if (mostS < LEAST_S) return { kind: 'never' };
  const end = stopBegan + mostS * 1000;
  // In whole seconds: what the hook itself takes to get here leaves the shortest limit long enough.
  if (Math.ceil((end - now) / 1000) < LEAST_S) return { kind: 'used-up' };
  return { kind: 'until', deadline: Math.min(now + config.review.timeoutMs, end) };
}

/** When the checks of this stop must have ended; null: there is no time for them. A check may be done in a second. */
export function timeForChecks(
  { limitS = BY_HAND_S }: Stop,
  { now: stopBegan }: Project,
  now: number = Date.now(),
): number | null {
  const end = stopBegan + (limitS - RESERVE_S) * 1000;
  return end - now < 1000 ? null : end;
}
