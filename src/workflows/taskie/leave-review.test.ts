// Where a plan goes on when a review has passed or is skipped, what is written of it, and what the user is told.

import { describe, expect, it } from 'vitest';
import { leaveReview, type WayOut } from './leave-review.ts';
import type { Review } from './phases.ts';
import type { Change, Facts, KnownState } from './types.ts';

const STATE: KnownState = {
  ...{ kind: 'known', maxReviews: 8, currentTask: '3', phase: 'post-plan-review', iteration: 4 },
  ...{ next: 'plan-review', model: 'opus', clean: 2, tdd: false, unsound: [] },
};
const FACTS: Facts = {
  ...{ plan: 'p', handFired: false, violations: [], folder: 'seal', planWritten: true, taskWritten: true },
  ...{ review: null, nextNumber: 5, tasks: null, pending: { others: true, current: false } },
};
const PASSED: WayOut = { kind: 'passed', number: 6, model: 'sonnet' };

const leave = (
  review: Review,
  { state = {}, facts = {}, way = PASSED }: { state?: object; facts?: Partial<Facts>; way?: WayOut } = {},
) => leaveReview(review, { ...STATE, ...state }, { ...FACTS, ...facts }, way);
const changeOf = (step: ReturnType<typeof leave>): Change | null => ('change' in step ? step.change : null);

const pending = (others: boolean, current = false) => ({ pending: { others, current } });
describe.each<[Review, object, Partial<Facts>, string]>([
  ['plan-review', {}, {}, 'create-tasks'],
  ['plan-review', { tdd: true }, { pending: null }, 'create-tasks'],
  ['tasks-review', {}, { pending: null }, 'complete-task'],
  ['tasks-review', { tdd: true }, {}, 'complete-task-tdd'],
  ['code-review', {}, pending(true), 'complete-task'],
  ['code-review', { tdd: true }, pending(true), 'complete-task-tdd'],
  ['code-review', {}, pending(false), 'all-code-review'],
  ['all-code-review', {}, { pending: null }, 'complete'],
])('%s of %j with %j', (review, state, facts, next) => {
  it.each<WayOut>([PASSED, { kind: 'skipped' }])('leads to the next phase: %j', (way) => {
    expect(changeOf(leave(review, { state, facts, way }))?.next).toBe(next);
  });
});

it('a review of one task’s code asks first which tasks are pending', () => {
  expect(leave('code-review', { facts: { pending: null } })).toEqual({ kind: 'look', at: 'pending' });
});

describe('a review that passed', () => {
  it('is written with its file’s number, and the reviewer who is next', () => {
    expect(leave('plan-review')).toStrictEqual({
      kind: 'allow',
      change: {
        ...{ phase: 'plan-review', iteration: 4, model: 'sonnet', clean: 2 },
        review: { kind: 'plan-review', task: '3', iteration: 4, number: 6 },
        next: 'create-tasks',
      },
      notice: { name: 'passed', slots: { plan: 'p', title: 'plan review' } },
      suppressOutput: true,
    });
  });

  it('remembers who listed findings, and says which of them do not count', () => {
    const step = leave('plan-review', { way: { ...PASSED, by: 'codex', floor: 'high' } });
    expect(changeOf(step)?.review).toStrictEqual({
      ...{ kind: 'plan-review', task: '3', iteration: 4, number: 6, by: 'codex' },
    });
    expect(step).toMatchObject({
      notice: { name: 'passed', slots: { plan: 'p', title: 'plan review', floor: 'high' } },
    });
  });

  it('counts as the first where nobody counted', () => {
    expect(changeOf(leave('plan-review', { state: { iteration: null } }))).toMatchObject({
      iteration: 1,
      review: { iteration: 1 },
    });
  });
});

it('a review that is skipped is written as none, with the model and count as they are', () => {
  expect(leave('tasks-review', { way: { kind: 'skipped' } })).toStrictEqual({
    kind: 'allow',
    change: {
      ...{ phase: 'tasks-review', iteration: 0, model: 'opus', clean: 2, review: null },
      next: 'complete-task',
    },
    notice: { name: 'reviews-off', slots: { plan: 'p', title: 'tasks review' } },
    suppressOutput: true,
  });
});

describe('the reviews of all code', () => {
  const last = pending(false);

  it('begin again, with the first of the pair', () => {
    expect(changeOf(leave('code-review', { facts: last }))).toMatchObject({
      ...{ iteration: 0, model: 'opus', clean: 0, review: { number: 6, iteration: 4 } },
    });
    const reviewers = { pair: ['haiku', 'sonnet'] as const, standIn: null };
    expect(
      changeOf(leave('code-review', { facts: { ...last, reviewers }, way: { kind: 'skipped' } })),
    ).toMatchObject({ iteration: 0, model: 'haiku', clean: 0, review: null });
  });

  it('are no matter of any other way out', () => {
    expect(changeOf(leave('code-review'))).toMatchObject({ iteration: 4, model: 'sonnet', clean: 2 });
    expect(changeOf(leave('all-code-review'))).toMatchObject({ iteration: 4, model: 'sonnet', clean: 2 });
  });
});

describe('the user is told', () => {
  it.each<[Review, Partial<Facts>, object]>([
    ['code-review', pending(true), { name: 'passed', slots: { plan: 'p', title: 'code review of task 3' } }],
    [
      'code-review',
      pending(true, true),
      { name: 'passed-row-pending', slots: { plan: 'p', title: 'code review of task 3', task: '3' } },
    ],
    [
      'all-code-review',
      pending(true, true),
      { name: 'passed', slots: { plan: 'p', title: 'all-code review' } },
    ],
    ['plan-review', { pending: null }, { name: 'passed', slots: { plan: 'p', title: 'plan review' } }],
  ])('that the %s passed, with %j', (review, facts, notice) => {
    expect(leave(review, { facts })).toMatchObject({ notice });
  });

  it('of the row that still says pending, also below a floor and without a task', () => {
    const facts = pending(false, true);
    expect(leave('code-review', { facts, way: { ...PASSED, floor: 'medium' } })).toMatchObject({
      notice: { name: 'passed-row-pending', slots: { plan: 'p', task: '3', floor: 'medium' } },
    });
    expect(leave('code-review', { facts, state: { currentTask: null } })).toMatchObject({
      notice: { slots: { plan: 'p', title: 'code review of task ?', task: '' } },
    });
    expect(leave('code-review', { facts, way: { kind: 'skipped' } })).toMatchObject({
      notice: { name: 'reviews-off', slots: { plan: 'p', title: 'code review of task 3' } },
    });
  });

  it('of rows of the table that were not understood', () => {
    const table = (leftOut: number, plain: boolean) => ({ tasks: { ids: ['1'], leftOut, plain } });
    const noticeOf = (facts: Partial<Facts>) => {
      const step = leave('tasks-review', { facts });
      return 'notice' in step ? step.notice : null;
    };
    const slots = { plan: 'p', title: 'tasks review' };
    expect(noticeOf(table(0, false))).toEqual({ name: 'passed', slots });
    expect(noticeOf(table(2, false))).toEqual({
      name: 'passed',
      slots: { ...slots, rows: 2, warning: 'table-rows-left-out' },
    });
    expect(noticeOf(table(2, true))).toEqual({ name: 'passed', slots: { ...slots, warning: 'table-plain' } });
  });
});
