import { describe, expect, it } from 'vitest';
import { byTaskId, isPlanId, isTaskId, nextFreeNumber, reviewNumberOf } from './names.ts';

describe('ids', () => {
  it.each(['a', 'my-plan', 'Plan_2', '1'])('takes %s as a plan id', (id) => {
    expect(isPlanId(id)).toBe(true);
  });

  it.each(['', '..', 'a/b', 'a b', 'a.b', 'é', 'a\n', '-'.repeat(101)])('takes no plan id %j', (id) => {
    expect(isPlanId(id)).toBe(false);
  });

  it('are digits for tasks, compared as numbers of any length', () => {
    expect(['1', '10', '007'].every(isTaskId)).toBe(true);
    expect(['', 'a', '1.1', '../1', '1\n'].some(isTaskId)).toBe(false);
    const sorted = ['10', '9', '100000000000000000001', '100000000000000000000', '1'].sort(byTaskId);
    expect(sorted).toEqual(['1', '9', '10', '100000000000000000000', '100000000000000000001']);
  });
});

describe('review numbers', () => {
  it('belong to one kind and one task: 1 is not 10', () => {
    expect(reviewNumberOf('task-1-review-3.md', 'code-review', '1')).toBe(3);
    expect(reviewNumberOf('task-10-review-3.md', 'code-review', '1')).toBeNull();
    expect(reviewNumberOf('task-1-post-review-3.md', 'code-review', '1')).toBeNull();
    expect(reviewNumberOf('plan-review-03.md', 'plan-review', null)).toBeNull();
  });

  it('pass over names that are taken, also by a post-review alone or in capitals', () => {
    expect(nextFreeNumber([], 'plan-review', null, 3)).toBe(3);
    expect(nextFreeNumber(['plan-review-1.md', 'plan-review-3.md'], 'plan-review', null, 1)).toBe(2);
    const files = ['plan-review-1.md', 'plan-post-review-2.md', 'PLAN-REVIEW-3.MD'];
    expect(nextFreeNumber(files, 'plan-review', null, 1)).toBe(4);
  });
});
