import { describe, expect, it } from 'vitest';
import type { RecordedStep } from '../../../engine/recorded-step.ts';
import { reviewTitle, stageOf } from '../phases.ts';
import type { KnownState } from '../types.ts';
import { describeNext, describeStage } from './describe.ts';
import { explain } from './explain.ts';

const SLOTS = { title: 'plan review', review: 'plan-review-2.md', iteration: 2, max: 8, failures: 3 };
const said = (name: string, slots: Record<string, string | number> = {}, kind = 'allow'): RecordedStep => ({
  kind,
  said: { name, slots: { ...SLOTS, ...slots } },
  change: {},
});

describe('why taskie answered as it did', () => {
  it.each([
    ['violations', { violations: 'x is missing' }, 'The plan folder is not sound: x is missing.'],
    [
      'checks-refused',
      {},
      'The plan review was due, but the checks refused the claim that the code is done.',
    ],
    [
      'passed',
      {},
      'The plan review passed: two clean reviews in a row. What comes next is the user’s to start.',
    ],
    [
      'passed-row-pending',
      {},
      'The plan review passed: two clean reviews in a row. What comes next is the user’s to start.',
    ],
    ['reviews-off', {}, 'Reviews are off (max_reviews is 0), so the plan review was passed over.'],
    [
      'limit-reached',
      {},
      'All 8 reviews of this cycle were spent without two clean ones in a row; the user decides.',
    ],
    ['outstanding', {}, 'The answer to plan-review-2.md is outstanding, but the hook was fired by hand.'],
    [
      'review-failed',
      {},
      'The plan review ended without a verdict, so nothing was counted. Why: not written down.',
    ],
    [
      'review-given-up',
      { cause: 'other' },
      'The plan review ended without a verdict 3 times in a row, so none is started any more. Why, the last time: not written down.',
    ],
    [
      'reviewer-refused',
      { model: 'm', pair: 'a, b' },
      'The plan review was due, but state.json names m, which may not review here (your pair: a, b).',
    ],
    ['review-missing', {}, 'The review that is to be answered is not there.'],
    ['no-current-task', {}, 'A code review was due, but no task is the current one.'],
    ['no-task-file', { file: 'task-1.md' }, 'A code review was due, but task-1.md is not there.'],
    ['no-task-file', {}, 'A code review was due, but  is not there.'],
    ['no-tasks', {}, 'A review was due, but tasks.md names no task.'],
    ['validated', {}, 'No review was due, and the plan folder is sound.'],
    [
      'validated-state-broken',
      {},
      'state.json cannot be read, so no review could be due; the plan folder is sound.',
    ],
    ['validated-state-unsound', { fields: 'tdd' }, 'No review was due; state.json lacks tdd.'],
    ['constructor', {}, null],
  ])('is said of %s with %j', (name, slots: Record<string, string>, words) => {
    expect(explain(said(name, slots))).toBe(words);
  });

  it('names the floor below which all findings lie', () => {
    const floor = ' All that the reviewer listed lies below the floor (high), so it counts as clean.';
    expect(explain(said('no-tasks', { floor: 'high' }))).toBe(
      `A review was due, but tasks.md names no task.${floor}`,
    );
    expect(explain(said('hold-plan-review', { floor: 'high' }, 'hold'))).toBe(
      `Review 2 of at most 8 is in plan-review-2.md, and the agent owes it an answer.${floor}`,
    );
  });

  it('is that a review was due where one was begun', () => {
    expect(explain(said('anything', {}, 'review'))).toBe('A review was due.');
    expect(explain({ kind: 'review', said: null, change: {} })).toBeNull();
    expect(explain(said('hold-plan-review'))).toBeNull();
  });
});

const state: KnownState = {
  ...{ kind: 'known', maxReviews: 8, currentTask: null, phase: 'new-plan', iteration: 0 },
  ...{ next: 'plan-review', model: 'opus', clean: 0, tdd: false, unsound: [] },
};

describe('what follows in a plan', () => {
  it.each<[Partial<KnownState>, string]>([
    [
      {},
      'Stop now: the plan-review starts when you do. To leave the loop, set "next_phase": null or "max_reviews": 0 in state.json.',
    ],
    [{ maxReviews: 0 }, 'Stop now: max_reviews is 0, so the plan-review is skipped.'],
    [{ next: 'complete' }, 'Next: complete.'],
    [{ next: null }, 'Nothing follows by itself: stop, and tell the user.'],
  ])('is said of %j', (fields, words) => {
    expect(describeNext({ ...state, ...fields })).toBe(words);
  });

  it('is nothing where there is no state', () => {
    for (const kind of ['absent', 'broken'] as const)
      expect(describeNext({ kind })).toBe('Nothing follows by itself: stop, and tell the user.');
  });
});

describe('where a plan stands', () => {
  it.each<[Partial<KnownState>, string]>([
    [{}, 'Planning: new-plan, next plan-review'],
    [{ phase: null, next: null }, 'Unknown stage: no phase'],
    [{ phase: 'other', next: 'other' }, 'Unknown stage: other, next other'],
    [
      { phase: 'code-review', currentTask: '2', iteration: 3, next: 'post-code-review' },
      'Implementation: code-review, task 2, review 3 of at most 8, next post-code-review',
    ],
    [
      { phase: 'post-plan-review', iteration: 0 },
      'Plan review: post-plan-review, review 0 of at most 8, next plan-review',
    ],
    [{ phase: 'plan-review', iteration: null }, 'Plan review: plan-review, next plan-review'],
  ])('is said of %j', (fields, words) => {
    expect(describeStage({ ...state, ...fields })).toBe(words);
  });

  it('is said where the state is missing or broken', () => {
    expect(describeStage({ kind: 'absent' })).toBe('without state.json');
    expect(describeStage({ kind: 'broken' })).toBe('state.json is not a JSON object');
  });

  it.each([
    ['new-plan', 'Planning'],
    ['plan-review', 'Plan review'],
    ['post-plan-review', 'Plan review'],
    ['create-tasks', 'Task creation'],
    ['tasks-review', 'Task review'],
    ['post-tasks-review', 'Task review'],
    ['next-task', 'Implementation'],
    ['next-task-tdd', 'Implementation'],
    ['complete-task', 'Implementation'],
    ['complete-task-tdd', 'Implementation'],
    ['continue-task', 'Implementation'],
    ['code-review', 'Implementation'],
    ['post-code-review', 'Implementation'],
    ['all-code-review', 'Final review'],
    ['post-all-code-review', 'Final review'],
    ['complete', 'Complete'],
  ] as const)('is, in the phase %s, %s', (phase, stage) => {
    expect(stageOf(phase)).toBe(stage);
  });

  it.each([
    ['plan-review', null, 'plan review'],
    ['tasks-review', '1', 'tasks review'],
    ['code-review', '3', 'code review of task 3'],
    ['code-review', null, 'code review of task ?'],
    ['all-code-review', '3', 'all-code review'],
  ] as const)('has a review called %s of task %s: %s', (review, task, title) => {
    expect(reviewTitle(review, task)).toBe(title);
  });
});
