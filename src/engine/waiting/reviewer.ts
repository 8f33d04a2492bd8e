// A reviewer that is at a limit of its own: nobody failed, so nothing is counted, and the review comes later.

import type { ReviewAttempt, Waiting } from '../../store/records.ts';

/** Null: the review did not end at a limit. */
export function reviewerLimit({ cause, reviewer }: ReviewAttempt, now: number): Waiting | null {
  if (cause?.kind !== 'usage-limit') return null;
  const resetsAt = cause.code === null ? null : cause.code * 1000;
  // One that has passed already tells nothing.
  const until = resetsAt !== null && resetsAt > now ? resetsAt : null;
  return { for: 'limit', since: now, until, what: cause.kind, reviewer };
}
