import { describe, expect, it } from 'vitest';
import { REVIEWS } from '../phases.ts';
import { NEW_STATE } from '../state-format.ts';
import type { KnownState } from '../types.ts';
import { ACTIONS, type Held, transition } from './transitions.ts';

const sound: KnownState = {
  kind: 'known',
  maxReviews: 5,
  currentTask: '1',
  phase: 'code-review',
  iteration: 2,
  next: 'post-code-review',
  model: 'sonnet',
  clean: 1,
  tdd: true,
  unsound: [],
};

const held: Held = {
  firstReviewer: 'opus',
  files: [
    'plan.md',
    'task-1.md',
    'task-2.md',
    ...REVIEWS.map((review) => `${review}-1.md`),
    'task-1-review-1.md',
  ],
  rows: ['1', '2'],
  pending: ['2'],
};

const record = (
  action: (typeof ACTIONS)[number],
  task = '',
  state: Partial<KnownState> = {},
  folder: Partial<Held> = {},
) => transition(action, task, { ...sound, ...state }, { ...held, ...folder });

const CYCLE = { phase_iteration: 0, review_model: 'opus', consecutive_clean: 0 };

describe('record', () => {
  it('new-plan builds the state of a plan that has none, and only then', { tags: ['T-action-2.a'] }, () => {
    expect(transition('new-plan', '', { kind: 'absent' }, held)).toEqual({
      kind: 'create',
      fields: NEW_STATE,
    });
    expect(record('new-plan').kind).toBe('refused');
    expect(transition('new-plan', '', { kind: 'broken' }, held).kind).toBe('refused');
  });

  it.each(ACTIONS.filter((action) => action !== 'new-plan'))(
    '%s needs a state that can be read',
    { tags: ['T-action-2.a'] },
    (action) => {
      expect(transition(action, '1', { kind: 'absent' }, held).kind).toBe('refused');
      expect(transition(action, '1', { kind: 'broken' }, held).kind).toBe('refused');
    },
  );

  it('create-tasks begins the tasks review, once plan.md is there', () => {
    expect(record('create-tasks')).toEqual({
      kind: 'change',
      fields: { phase: 'create-tasks', current_task: null, next_phase: 'tasks-review', ...CYCLE },
    });
    expect(record('create-tasks', '', {}, { files: [] }).kind).toBe('refused');
  });

  it.each(['next-task', 'next-task-tdd'] as const)('%s lets nothing follow', (action) => {
    const fields = { phase: action, current_task: '2', next_phase: null, phase_iteration: null };
    expect(record(action, '2')).toEqual({ kind: 'change', fields });
    expect(record(action, '3').kind).toBe('refused');
  });

  it.each([
    ['complete-task', false],
    ['complete-task-tdd', true],
  ] as const)('%s begins the code review with tdd %s', (action, tdd) => {
    const fields = { phase: action, current_task: '2', next_phase: 'code-review', ...CYCLE, tdd };
    expect(record(action, '2')).toEqual({ kind: 'change', fields });
    expect(record(action, '3').kind).toBe('refused');
  });

  it('continue-task changes the phase alone, while there is a task', () => {
    for (const next of ['code-review', 'all-code-review', null] as const)
      expect(record('continue-task', '', { next })).toEqual({
        kind: 'change',
        fields: { phase: 'continue-task' },
      });
    expect(record('continue-task', '', { next: null, currentTask: null }).kind).toBe('refused');
  });

  it.each(REVIEWS)('continue-task does not end a loop in which post-%s is outstanding', (review) => {
    const action = `post-${review}` as const;
    expect(record('continue-task', '', { phase: review, next: action })).toEqual({
      kind: 'refused',
      why: `the answer to the ${review} is outstanding`,
      fits: `once \`record ${action}\` has run`,
    });
  });

  it.each(REVIEWS)('%s by itself lets nothing follow', (review) => {
    const fields = { phase: review, next_phase: null, phase_iteration: null };
    expect(record(review)).toEqual({ kind: 'change', fields });
    expect(record(review, '', {}, { files: [], rows: [] }).kind).toBe('refused');
  });

  it.each(REVIEWS)('post-%s goes back to the review in a loop, and nowhere outside one', (review) => {
    const action = `post-${review}` as const;
    const inLoop = { phase: review, next: action };
    expect(record(action, '', inLoop)).toEqual({
      kind: 'change',
      fields: { phase: action, next_phase: review },
    });
    expect(record(action, '', { ...inLoop, iteration: null })).toEqual({
      kind: 'change',
      fields: { phase: action, next_phase: null },
    });
    expect(record(action, '', inLoop, { files: ['plan.md'] }).kind).toBe('refused');
  });

  it.each(REVIEWS)('post-%s leaves a loop left that a person left', (review) => {
    const action = `post-${review}` as const;
    const fields = { phase: action, next_phase: null };
    expect(record(action, '', { phase: review, next: null })).toEqual({ kind: 'change', fields });
  });

  it.each(['tasks-review', 'all-code-review'] as const)(
    '%s by itself needs task rows, and no current task',
    (review) => {
      const left = { kind: 'change', fields: { phase: review, next_phase: null, phase_iteration: null } };
      expect(record(review, '', { currentTask: null })).toEqual(left);
      expect(record(review, '', { currentTask: '9' })).toEqual(left);
      expect(record(review, '', {}, { rows: [] })).toMatchObject({
        kind: 'refused',
        why: 'tasks.md has no tasks',
      });
    },
  );

  it('post-tasks-review does not carry the clean count of another review’s loop away', () => {
    const refused = { kind: 'refused', why: 'the plan is not at its tasks-review' };
    expect(record('post-tasks-review', '', { phase: 'plan-review', next: 'post-plan-review' })).toMatchObject(
      refused,
    );
    expect(record('post-tasks-review', '', { phase: 'post-plan-review', next: 'plan-review' })).toMatchObject(
      refused,
    );
    expect(record('post-tasks-review', '', { phase: 'plan-review', next: 'create-tasks' })).toMatchObject(
      refused,
    );
  });

  it('post-code-review needs a review of this very task', () => {
    expect(record('post-code-review', '', { currentTask: '2' }).kind).toBe('refused');
    expect(record('post-code-review', '', { currentTask: null }).kind).toBe('refused');
  });

  it('add-task makes the new task current only when there is none', () => {
    expect(record('add-task', '2', { currentTask: null })).toEqual({
      kind: 'change',
      fields: { current_task: '2' },
    });
    expect(record('add-task', '2')).toEqual({ kind: 'change', fields: {} });
    expect(record('add-task', '2', {}, { rows: ['1'] }).kind).toBe('refused');
    expect(record('add-task', '3').kind).toBe('refused');
  });

  it('complete fits when it is next or when nothing is pending', () => {
    const done = { kind: 'change', fields: { phase: 'complete', next_phase: null } };
    expect(record('complete', '', { next: 'complete' })).toEqual(done);
    expect(record('complete', '', {}, { pending: [] })).toEqual(done);
    expect(record('complete')).toMatchObject({ kind: 'refused', why: 'pending in tasks.md: 2' });
    expect(record('complete', '', {}, { rows: [], pending: [] }).kind).toBe('refused');
  });
});
