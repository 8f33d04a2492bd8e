// Where a plan stands and what follows, in a few words.

import { describe, expect, it } from 'vitest';
import type { KnownState, State } from '../types.ts';
import { describeNext, describeStage } from './describe.ts';

const STATE: KnownState = {
  ...{ kind: 'known', maxReviews: 8, currentTask: null, phase: 'new-plan', iteration: 0 },
  ...{ next: null, model: 'opus', clean: 0, tdd: false, unsound: [] },
};
const state = (fields: Partial<KnownState>): State => ({ ...STATE, ...fields });
const NOTHING = 'Nothing follows by itself: stop, and tell the user.';

describe('what follows', () => {
  it.each<[State, string]>([
    [{ kind: 'absent' }, NOTHING],
    [{ kind: 'broken' }, NOTHING],
    [state({ next: null }), NOTHING],
    [state({ next: 'create-tasks', maxReviews: 0 }), 'Next: create-tasks.'],
    [state({ next: 'other' }), 'Next: other.'],
    [state({ next: 'post-plan-review' }), 'Next: post-plan-review.'],
    [
      state({ next: 'plan-review', maxReviews: 0 }),
      'Stop now: max_reviews is 0, so the plan-review is skipped.',
    ],
    [
      state({ next: 'code-review', maxReviews: 1 }),
      'Stop now: the code-review starts when you do. To leave the loop, set "next_phase": null or "max_reviews": 0 in state.json.',
    ],
  ])('after %j', (given, words) => {
    expect(describeNext(given)).toBe(words);
  });
});

describe('where it stands', () => {
  it.each<[State, string]>([
    [{ kind: 'absent' }, 'without state.json'],
    [{ kind: 'broken' }, 'state.json is not a JSON object'],
    [state({}), 'Planning: new-plan'],
    [state({ phase: null }), 'Unknown stage: no phase'],
    [state({ phase: 'other', next: 'other' }), 'Unknown stage: other, next other'],
    [
      state({ phase: 'code-review', currentTask: '2', iteration: 3, next: 'post-code-review' }),
      'Implementation: code-review, task 2, review 3 of at most 8, next post-code-review',
    ],
    [
      state({ phase: 'post-plan-review', iteration: 1, next: 'plan-review' }),
      'Plan review: post-plan-review, review 1 of at most 8, next plan-review',
    ],
    [state({ phase: 'plan-review', iteration: null }), 'Plan review: plan-review'],
    [state({ phase: 'complete', iteration: 3 }), 'Complete: complete'],
  ])('of %j', (given, words) => {
    expect(describeStage(given)).toBe(words);
  });
});
