import { describe, expect, it } from 'vitest';
import { REVIEWS, TASK_ACTIONS } from '../phases.ts';
import type { KnownState } from '../types.ts';
import { type Surroundings, type Todo, todoOf, unmarkedTask } from './todo.ts';

const sound: KnownState = {
  kind: 'known',
  maxReviews: 8,
  currentTask: '2',
  phase: 'complete-task',
  iteration: 0,
  next: null,
  model: 'opus',
  clean: 0,
  tdd: false,
  unsound: [],
};

const ready: Surroundings = {
  reviewNumber: 3,
  planWhole: true,
  task: 'implemented',
  rows: ['1', '2', '10'],
  pending: ['2', '10'],
  unnumbered: [],
};

const todo = (state: Partial<KnownState>, around: Partial<Surroundings> = {}): Todo =>
  todoOf({ ...sound, ...state }, { ...ready, ...around });

const unmarked = (state: Partial<KnownState>, around: Partial<Surroundings> = {}): string | null =>
  unmarkedTask(todo(state, around), { ...sound, ...state }, { ...ready, ...around });

describe('continue-plan', () => {
  it('reviews tasks from the first one on', () => {
    expect(todo({ next: 'tasks-review' }, { rows: ['1'] })).toEqual({ kind: 'stop', review: 'tasks-review' });
    expect(todo({ next: 'tasks-review' }, { rows: [] })).toEqual({ kind: 'create-tasks' });
  });

  it('asks which task is meant where none is current and its subtasks are open', () => {
    const open = { task: 'open' } as const;
    expect(todo({ next: 'code-review', currentTask: null }, open)).toEqual({
      kind: 'task-unknown',
      next: 'code-review',
    });
    expect(todo({ next: 'all-code-review', currentTask: null }, open)).toEqual({
      kind: 'stop',
      review: 'all-code-review',
    });
  });

  it.each(REVIEWS)('with post-%s next does it on the review', (review) => {
    const action = `post-${review}` as const;
    expect(todo({ phase: review, next: action })).toEqual({
      kind: 'post-review',
      action,
      review,
      number: 3,
    });
    expect(todo({ next: action }, { reviewNumber: null })).toEqual({ kind: 'review-lost', action, review });
  });

  it.each(REVIEWS)(
    'with %s next after a post-review just stops, whatever is unfinished',
    { tags: ['T-action-1', 'T-action-1.e'] },
    (next) => {
      const nothing = { planWhole: false, task: 'open', rows: [] } as const;
      expect(todo({ phase: 'post-code-review', next }, nothing)).toEqual({ kind: 'stop', review: next });
    },
  );

  it.each(['code-review', 'all-code-review'] as const)(
    'with %s next looks at the subtasks',
    { tags: ['T-action-1.f'] },
    (next) => {
      expect(todo({ next })).toEqual({ kind: 'stop', review: next });
      expect(todo({ next }, { task: 'open' })).toEqual({ kind: 'continue-task', task: '2' });
    },
  );

  it('with a code review next and no task to be found asks which it is', () => {
    expect(todo({ next: 'code-review' }, { task: 'missing' }).kind).toBe('task-unknown');
    expect(todo({ next: 'all-code-review', currentTask: null }, { task: 'missing' }).kind).toBe('stop');
  });

  it('with plan-review next looks whether the plan is whole', () => {
    expect(todo({ phase: 'new-plan', next: 'plan-review' }).kind).toBe('stop');
    expect(todo({ phase: 'new-plan', next: 'plan-review' }, { planWhole: false }).kind).toBe('finish-plan');
  });

  it('with tasks-review next looks whether there are tasks', () => {
    expect(todo({ phase: 'create-tasks', next: 'tasks-review' }).kind).toBe('stop');
    expect(todo({ phase: 'create-tasks', next: 'tasks-review' }, { rows: [] }).kind).toBe('create-tasks');
  });

  it('with a review next and none left tells the user', () => {
    expect(todo({ phase: 'post-code-review', next: 'code-review', iteration: 8 }).kind).toBe('stop-at-limit');
    expect(todo({ next: 'code-review', iteration: 8, maxReviews: 0 }).kind).toBe('stop');
  });

  it.each(['complete-task', 'complete-task-tdd'] as const)(
    'with %s next names the first pending task by number',
    { tags: ['T-action-1.l'] },
    (next) => {
      expect(todo({ phase: 'tasks-review', currentTask: null, next })).toEqual({
        kind: 'implement',
        action: next,
        task: '2',
      });
    },
  );

  it.each(['code-review', 'post-code-review'] as const)(
    'never offers the current task again after %s, but names its row',
    (phase) => {
      expect(todo({ phase, next: 'complete-task' })).toMatchObject({ task: '10' });
      expect(unmarked({ phase, next: 'complete-task' })).toBe('2');
      expect(unmarked({ phase, next: 'complete-task' }, { pending: ['2'] })).toBe('2');
      expect(todo({ phase, next: 'complete-task' }, { pending: ['2'] }).kind).toBe('nothing-pending');
    },
  );

  it('names the row of the task that is over on the way through the reviews of all code, while it is pending', () => {
    for (const phase of ['code-review', 'all-code-review', 'post-all-code-review'] as const) {
      expect(unmarked({ phase, next: 'all-code-review' })).toBe('2');
      expect(unmarked({ phase, next: 'all-code-review', iteration: 8 })).toBe('2');
      expect(unmarked({ phase, next: 'all-code-review' }, { pending: ['10'] })).toBeNull();
    }
    const last = { phase: 'all-code-review', next: 'complete' } as const;
    expect(unmarked(last, { pending: ['2'] })).toBe('2');
    expect(todo(last, { pending: ['2'] })).toEqual({ kind: 'complete' });
  });

  it('does not name the row of a task that is still under way', () => {
    expect(unmarked({ phase: 'complete-task', next: 'code-review' })).toBeNull();
    expect(unmarked({ phase: 'post-code-review', next: 'code-review' })).toBeNull();
    expect(unmarked({ phase: 'tasks-review', next: 'complete-task' })).toBeNull();
    expect(unmarked({ phase: 'code-review', next: 'all-code-review' }, { task: 'open' })).toBeNull();
    expect(unmarked({ phase: 'complete-task', next: 'all-code-review' })).toBeNull();
    expect(unmarked({ phase: 'complete-task', next: 'complete' })).toBeNull();
  });

  it('offers the current task when it was only added', () => {
    expect(todo({ phase: 'tasks-review', next: 'complete-task' })).toMatchObject({ task: '2' });
  });

  it('with create-tasks or complete next does that', () => {
    expect(todo({ next: 'create-tasks' }).kind).toBe('create-tasks');
    expect(todo({ next: 'complete' }, { pending: [] }).kind).toBe('complete');
  });

  it('calls no plan complete while a row says pending, whatever its id', () => {
    const next = 'complete';
    expect(todo({ phase: 'complete-task', next })).toEqual({ kind: 'still-pending', rows: ['2', '10'] });
    const around = { pending: ['2', '10'], unnumbered: ['T2'] };
    expect(todo({ phase: 'all-code-review', next }, around)).toEqual({
      kind: 'still-pending',
      rows: ['10', 'T2'],
    });
  });

  it('asks for a number where no other task is left that could be taken up', () => {
    const next = 'complete-task';
    const rows = ['T2', '2.1'];
    expect(todo({ phase: 'code-review', next }, { unnumbered: rows })).toMatchObject({ task: '10' });
    const around = { pending: ['2'], unnumbered: rows };
    expect(todo({ phase: 'code-review', next }, around)).toEqual({ kind: 'unnumbered', rows });
    expect(unmarked({ phase: 'code-review', next }, around)).toBe('2');
  });

  it.each(TASK_ACTIONS)(
    'with nothing next after %s goes on with the task',
    { tags: ['T-action-1', 'T-action-1.o'] },
    (phase) => {
      expect(todo({ phase })).toEqual({ kind: 'continue-task', task: '2' });
      expect(todo({ phase, currentTask: null }).kind).toBe('ask');
    },
  );

  it('with nothing next after complete says so', () => {
    expect(todo({ phase: 'complete' }).kind).toBe('done');
  });

  it.each(['new-plan', 'plan-review', 'post-code-review', 'create-tasks', 'other', null] as const)(
    'with nothing next after %s asks the user',
    { tags: ['T-action-1.q'] },
    (phase) => {
      expect(todo({ phase }).kind).toBe('ask');
    },
  );

  it.each(['other', 'new-plan', 'next-task'] as const)('with %s next asks the user', (next) => {
    expect(todo({ next }).kind).toBe('ask');
  });

  it('without a state that can be read starts from the history', () => {
    expect(todoOf({ kind: 'absent' }, ready)).toEqual({ kind: 'rebuild', broken: false });
    expect(todoOf({ kind: 'broken' }, ready)).toEqual({ kind: 'rebuild', broken: true });
  });
});
