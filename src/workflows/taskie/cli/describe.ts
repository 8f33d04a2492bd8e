// A plan's state in a few words, for people and for the agent that ran a command (pure).

import { asReview, reviewAnsweredBy, stageOf } from '../phases.ts';
import type { State } from '../types.ts';

/** What follows, once something has been recorded. */
export function describeNext(state: State): string {
  if (state.kind !== 'known' || state.next === null)
    return 'Nothing follows by itself: stop, and tell the user.';
  if (asReview(state.next) !== null) {
    if (state.maxReviews === 0) return `Stop now: max_reviews is 0, so the ${state.next} is skipped.`;
    return `Stop now: the ${state.next} starts when you do. To leave the loop, set "next_phase": null or "max_reviews": 0 in state.json.`;
  }
  return `Next: ${state.next}.`;
}

/** `Implementation: task 2, code-review 3 of at most 8, next post-code-review`. */
export function describeStage(state: State): string {
  if (state.kind === 'absent') return 'without state.json';
  if (state.kind === 'broken') return 'state.json is not a JSON object';
  const { phase, currentTask, iteration, maxReviews, next } = state;
  const stage = phase === null || phase === 'other' ? 'Unknown stage' : stageOf(phase);
  const inReview = asReview(phase) !== null || reviewAnsweredBy(phase) !== null;
  return [
    `${stage}: ${phase ?? 'no phase'}`,
    ...(currentTask === null ? [] : [`task ${currentTask}`]),
    ...(inReview && iteration !== null ? [`review ${iteration} of at most ${maxReviews}`] : []),
    ...(next === null ? [] : [`next ${next}`]),
  ].join(', ');
}
