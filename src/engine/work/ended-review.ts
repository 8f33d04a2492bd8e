// Which finished review the state was waiting for, and what a decision learns of it.

import type { NoVerdict, ReviewAttempt, Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import type { AskedFacts, ReviewOutcome } from '../step.ts';
import { isSpent, reviewIn, withReview } from './attempt.ts';

export type Seen = { stateHash: string; subject?: string; unreadable?: true };

export type EndedReviewSeen = {
  /** The finished review this state was waiting for. */
  ended: ReviewAttempt | null;
  /**
   * A verdict on another state than the one that stands: applied already, or overtaken by somebody's edit. It goes at
   * once, for the same state may come back some day, and then it would pass for a review of other work.
   */
  passed: ReviewAttempt | null;
  /** The sidecar without a review that has passed. */
  sidecar: Sidecar;
  outcome: ReviewOutcome & Pick<AskedFacts, 'reviewContent'>;
};

/** Not committed yet, whatever state it speaks of. */
export function finishedReview(found: Sidecar): ReviewAttempt | null {
  const review = reviewIn(found);
  return review?.status === 'done' ? review : null;
}

export function endedReview(found: Sidecar, seen: Seen): EndedReviewSeen {
  const finished = finishedReview(found);
  const ended = finished !== null && isOf(finished, seen) ? finished : null;
  // While the state cannot be understood, as in the middle of an edit, a verdict waits.
  const passed = ended === null && seen.unreadable !== true ? finished : null;
  const sidecar = passed === null ? found : withReview(found, null);
  const noVerdict = ended === null ? lastFailureIn(sidecar, seen.stateHash) : ended.cause;
  const outcome: EndedReviewSeen['outcome'] = {
    verdict: ended?.verdict ?? null,
    failedReviews: failuresIn(sidecar, seen.stateHash),
    ...(noVerdict === undefined ? {} : { noVerdict }),
    ...(ended === null ? {} : { reviewNumber: ended.number, reviewModel: ended.named ?? ended.model }),
    ...(ended?.content === undefined ? {} : { reviewContent: ended.content }),
  };
  return { ended, passed, sidecar, outcome };
}

/** With what only we know of a review that just ended here, and without one whose verdict was applied. */
export function withWhatEnded(sidecar: Sidecar, justEnded: ReviewAttempt | null, project: Project): Sidecar {
  const review = reviewIn(sidecar);
  if (review === null) return sidecar;
  if (review.id === justEnded?.id) return withReview(sidecar, justEnded);
  return isSpent(project, review) ? withReview(sidecar, null) : sidecar;
}

/** Edited since, it still is when the edit left alone what the verdict speaks of: the next commit keeps both. */
function isOf(attempt: ReviewAttempt, seen: Seen): boolean {
  const isOfItsSubject = attempt.subject !== undefined && attempt.subject === seen.subject;
  return attempt.before === seen.stateHash || isOfItsSubject;
}

/** Failures count for the state they happened in; an edited state starts again at none. */
export function failuresIn({ failures }: Sidecar, stateHash: string): number {
  return failures.state === stateHash ? failures.count : 0;
}

/** Why the last of them had no verdict. */
function lastFailureIn({ failures }: Sidecar, stateHash: string): NoVerdict | undefined {
  return failures.state === stateHash ? failures.cause : undefined;
}
