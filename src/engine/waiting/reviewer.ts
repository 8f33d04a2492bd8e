// A reviewer that is at a limit of its own: nobody failed, so nothing is counted, and the review comes later.

import type { ReviewAttempt, Waiting } from '../../store/records.ts';
import { withReview } from '../work/attempt.ts';
import { type EndedReviewSeen, endedReview, type Seen } from '../work/ended-review.ts';
import { isOver } from './clock.ts';
import { beginWait } from './on-record.ts';

/** Null: the review did not end at a limit. */
export function reviewerLimit({ cause, reviewer }: ReviewAttempt, now: number): Waiting | null {
  if (cause?.kind !== 'usage-limit') return null;
  const resetsAt = cause.code === null ? null : cause.code * 1000;
  // One that has passed already tells nothing.
  const until = resetsAt !== null && resetsAt > now ? resetsAt : null;
  return { for: 'limit', since: now, until, what: cause.kind, reviewer };
}

/** As if it had not been asked for, but for what the run waits for now. Its files go. */
export function withoutLimited(
  reviewed: EndedReviewSeen,
  seen: Seen,
  now: number,
): EndedReviewSeen & { limit: Waiting | null } {
  const { ended, sidecar: found } = reviewed;
  const limit = ended === null ? null : reviewerLimit(ended, now);
  if (limit === null) return { ...reviewed, limit };
  const again = endedReview(withReview(found, null), seen);
  const { waiting } = found;
  const isAsking = waiting?.for === 'person' && !isOver(waiting, now);
  const sidecar = isAsking ? again.sidecar : beginWait(again.sidecar, limit, now);
  return { ...again, sidecar, passed: ended, limit };
}
