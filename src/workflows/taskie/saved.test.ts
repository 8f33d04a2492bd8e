import { describe, expect, it } from 'vitest';
import { readSaved, savedAfter } from './saved.ts';
import type { Change } from './types.ts';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
const REVIEW = { kind: 'code-review', task: '1', iteration: 2, number: 3 } as const;

const change = (fields: Partial<Change>): Change => ({
  phase: 'code-review',
  next: 'post-code-review',
  iteration: 1,
  model: 'opus',
  clean: 0,
  review: null,
  ...fields,
});

function unasked(): never {
  throw new Error('nobody begins a task here');
}

describe('where a task began', () => {
  it.each(['complete-task', 'complete-task-tdd'] as const)('is noted when %s comes next', (next) => {
    const saved = savedAfter(change({ phase: 'tasks-review', next }), undefined, () => OLD);
    expect(saved).toEqual({ review: null, began: { task: OLD, plan: OLD } });
    const later = savedAfter(change({ next, review: REVIEW }), saved, () => NEW);
    expect(later).toEqual({ review: REVIEW, began: { task: NEW, plan: OLD } });
    // The tasks are reviewed once more: the plan's first one began long ago.
    const again = savedAfter(change({ phase: 'tasks-review', next }), saved, () => NEW);
    expect(readSaved(again).began).toEqual({ task: NEW, plan: OLD });
  });

  it.each(['post-code-review', 'all-code-review', 'create-tasks', 'complete'] as const)(
    'stays as it was when %s comes next, and HEAD is not asked for',
    (next) => {
      const saved = { review: null, began: { task: OLD, plan: null } };
      expect(savedAfter(change({ next, review: REVIEW }), saved, unasked)).toEqual({
        review: REVIEW,
        began: { task: OLD, plan: null },
      });
      expect(savedAfter(change({ next, review: REVIEW }), undefined, unasked)).toEqual({ review: REVIEW });
    },
  );

  it('of a plan that began with an earlier version is not that of its third task', () => {
    const saved = savedAfter(change({ next: 'complete-task', review: REVIEW }), { review: null }, () => NEW);
    expect(readSaved(saved).began).toEqual({ task: NEW, plan: null });
  });

  it('is forgotten for the task, not for the plan, where nobody can tell it any more', () => {
    const known = { review: null, began: { task: OLD, plan: OLD } };
    const saved = savedAfter(change({ next: 'complete-task', review: REVIEW }), known, () => null);
    expect(readSaved(saved).began).toEqual({ task: null, plan: OLD });
  });

  it('leaves the notes alone where nothing is known', () => {
    expect(savedAfter(change({ next: 'complete-task' }), undefined, () => null)).toBeUndefined();
  });
});

it.each([
  null,
  7,
  'x',
  [],
  { began: 7 },
  { began: { task: 'HEAD', plan: ['x'] } },
  { review: { kind: 'x' } },
])('reads nothing from %j', (saved) => {
  expect(readSaved(saved)).toEqual({ review: null, began: { task: null, plan: null } });
});

it.each([
  ['is read', REVIEW, true],
  ['may be of no task', { ...REVIEW, task: null }, true],
  ['may be of no number yet', { ...REVIEW, iteration: 0, number: 0 }, true],
  ['is of a known kind', { ...REVIEW, kind: 'post-code-review' }, false],
  ['is of a task by its id', { ...REVIEW, task: 'x/../y' }, false],
  ['names its task', { ...REVIEW, task: 7 }, false],
  ['has a count of rounds', { ...REVIEW, iteration: -1 }, false],
  ['has a whole number', { ...REVIEW, number: 1.5 }, false],
  ['has a number', { ...REVIEW, number: '3' }, false],
])('a review that is remembered %s', (_, review, isRead) => {
  expect(readSaved({ review }).review).toEqual(isRead ? review : null);
});
