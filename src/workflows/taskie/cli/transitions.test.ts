import { describe, expect, it } from 'vitest';
import { REVIEWS } from '../phases.ts';
import { NEW_STATE } from '../state-format.ts';
import type { KnownState } from '../types.ts';
import { ACTIONS, type Held, needsTask, transition } from './transitions.ts';

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

  it('complete fits when nothing is pending, whatever is next', () => {
    const done = { kind: 'change', fields: { phase: 'complete', next_phase: null } };
    expect(record('complete', '', { next: 'complete' }, { pending: [] })).toEqual(done);
    expect(record('complete', '', { next: 'complete' }, { rows: [], pending: [] })).toEqual(done);
    expect(record('complete', '', {}, { pending: [] })).toEqual(done);
    for (const next of [null, 'complete'] as const)
      expect(record('complete', '', { next })).toMatchObject({
        ...{ kind: 'refused', why: 'pending in tasks.md: 2' },
      });
    expect(record('complete', '', {}, { rows: [], pending: [] }).kind).toBe('refused');
  });
});

describe('a refusal of record', () => {
  const said = (...given: Parameters<typeof record>) => {
    const made = record(...given);
    return made.kind === 'refused' ? [made.why, made.fits] : made;
  };
  const noTask = (task: string) => [`there is no task-${task}.md`, 'once it is written'];
  const noCurrent = ['there is no current_task', 'while a task is under way'];
  const noTasks = ['tasks.md has no tasks', 'once it has a row per task'];

  it('says what is wrong with the state', () => {
    const refused = (
      state: Parameters<typeof transition>[2],
      action: (typeof ACTIONS)[number] = 'complete',
    ) => transition(action, '1', state, held);
    expect(refused({ kind: 'absent' })).toEqual({
      kind: 'refused',
      why: 'there is no state.json',
      fits: 'after `record new-plan`',
    });
    expect(refused({ kind: 'broken' })).toEqual({
      kind: 'refused',
      why: 'state.json is not a JSON object',
      fits: 'once it is fixed, or moved away and `record new-plan` has run',
    });
    expect(refused({ kind: 'broken' }, 'new-plan')).toEqual({
      kind: 'refused',
      why: 'the plan has a state.json already',
      fits: 'a plan without one',
    });
  });

  it('says which file is missing', () => {
    expect(said('create-tasks', '', {}, { files: [] })).toEqual([
      'there is no plan.md',
      'once it is written',
    ]);
    expect(said('plan-review', '', {}, { files: [] })).toEqual(['there is no plan.md', 'once it is written']);
    for (const action of [
      'next-task',
      'next-task-tdd',
      'complete-task',
      'complete-task-tdd',
      'add-task',
    ] as const)
      expect(said(action, '3')).toEqual(noTask('3'));
    expect(said('code-review', '', { currentTask: '3' })).toEqual(noTask('3'));
    expect(said('next-task', 'x', {}, { files: ['task-x.md'] })).toEqual(noTask('x'));
    expect(said('add-task', '2', {}, { rows: ['1'] })).toEqual([
      'tasks.md has no row for task 2',
      'once it has one',
    ]);
  });

  it('says that no task is current, or that there are none', () => {
    for (const action of ['continue-task', 'code-review', 'post-code-review'] as const)
      expect(said(action, '', { currentTask: null, next: null })).toEqual(noCurrent);
    for (const action of ['tasks-review', 'all-code-review'] as const)
      expect(said(action, '', {}, { rows: [] })).toEqual(noTasks);
  });

  it.each(REVIEWS)('says that there is no %s to answer, or that the plan is not there', (review) => {
    const action = `post-${review}` as const;
    expect(said(action, '', { phase: review, next: action }, { files: [] })).toEqual([
      `there is no ${review} in the plan folder`,
      'after that review',
    ]);
    expect(said(action, '', { phase: 'new-plan', next: 'complete' })).toEqual([
      `the plan is not at its ${review}`,
      `while phase or next_phase is ${review}`,
    ]);
  });

  it('says what is pending before the plan is complete', () => {
    expect(said('complete', '', {}, { pending: ['2', 'T3'] })).toEqual([
      'pending in tasks.md: 2, T3',
      'once no row of tasks.md says pending: each is done, cancelled or postponed',
    ]);
    expect(said('complete', '', {}, { rows: [], pending: [] })).toEqual([
      'tasks.md has no tasks',
      'when next_phase is complete, or tasks.md has rows',
    ]);
  });
});

describe('the actions that need a task', () => {
  it('are those that begin or end one, and the one that adds one', () => {
    expect(ACTIONS.filter(needsTask)).toEqual([
      'next-task',
      'next-task-tdd',
      'complete-task',
      'complete-task-tdd',
      'add-task',
    ]);
  });
});
