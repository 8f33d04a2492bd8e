// The words of a plan's life, to the letter: they stand in state.json, in file names and in messages.

import { describe, expect, it } from 'vitest';
import {
  asPhase,
  asReview,
  asTaskAction,
  PHASES,
  type Phase,
  postOf,
  REVIEWS,
  reviewAnsweredBy,
  reviewTitle,
  stageOf,
  TASK_ACTIONS,
} from './phases.ts';

/** Each phase, the stage it is in, and the review it answers. */
const ALL: readonly (readonly [Phase, string, string | null])[] = [
  ['new-plan', 'Planning', null],
  ['plan-review', 'Plan review', null],
  ['post-plan-review', 'Plan review', 'plan-review'],
  ['create-tasks', 'Task creation', null],
  ['tasks-review', 'Task review', null],
  ['post-tasks-review', 'Task review', 'tasks-review'],
  ['next-task', 'Implementation', null],
  ['next-task-tdd', 'Implementation', null],
  ['complete-task', 'Implementation', null],
  ['complete-task-tdd', 'Implementation', null],
  ['continue-task', 'Implementation', null],
  ['code-review', 'Implementation', null],
  ['post-code-review', 'Implementation', 'code-review'],
  ['all-code-review', 'Final review', null],
  ['post-all-code-review', 'Final review', 'all-code-review'],
  ['complete', 'Complete', null],
];

it('a plan has sixteen phases, in this order', () => {
  expect(PHASES).toEqual(ALL.map(([phase]) => phase));
});

describe.each(ALL)('%s', (phase, stage, answered) => {
  it('is a phase, and in its stage', () => {
    expect(asPhase(phase)).toBe(phase);
    expect(stageOf(phase)).toBe(stage);
  });

  it('is a review, an answer to one, an action on a task, or none of these', () => {
    const reviews: readonly string[] = ['plan-review', 'tasks-review', 'code-review', 'all-code-review'];
    const isAction = /^(next|complete|continue)-task/.test(phase);
    expect(asReview(phase)).toBe(reviews.includes(phase) ? phase : null);
    expect(reviewAnsweredBy(phase)).toBe(answered);
    expect(asTaskAction(phase)).toBe(isAction ? phase : null);
  });
});

it.each(['', 'other', 'Plan-review', 'plan-review ', 'post-', 'post-complete'])('%j is no phase', (text) => {
  expect(asPhase(text)).toBeNull();
  expect([asReview(text), asTaskAction(text), reviewAnsweredBy(text)]).toEqual([null, null, null]);
});

it('no phase is no review, no answer and no action', () => {
  expect([asReview(null), asTaskAction(null), reviewAnsweredBy(null)]).toEqual([null, null, null]);
});

it('the reviews and actions are in the order of a plan’s life', () => {
  expect(REVIEWS).toEqual(['plan-review', 'tasks-review', 'code-review', 'all-code-review']);
  expect(TASK_ACTIONS).toEqual([
    'next-task',
    'next-task-tdd',
    'complete-task',
    'complete-task-tdd',
    'continue-task',
  ]);
});

it.each([
  ['plan-review', '3', 'plan review'],
  ['tasks-review', '3', 'tasks review'],
  ['code-review', '3', 'code review of task 3'],
  ['code-review', null, 'code review of task ?'],
  ['all-code-review', '3', 'all-code review'],
] as const)('a person calls the %s with task %s a %s', (review, task, title) => {
  expect(reviewTitle(review, task)).toBe(title);
  expect(postOf(review)).toBe(`post-${review}`);
});
