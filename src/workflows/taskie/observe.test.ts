import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextIn } from '../../../test/support/bare-project.ts';
import { planScene } from '../../../test/support/taskie-plan.ts';
import { observe, reviewToAnswer } from './observe.ts';
import type { KnownState } from './types.ts';

const state: KnownState = {
  ...{ kind: 'known', maxReviews: 8, currentTask: '2', phase: 'code-review', iteration: 3 },
  ...{ next: 'post-code-review', model: 'opus', clean: 0, tdd: false, unsound: [] },
};
const FILES = ['task-2-review-4.md', 'task-2-review-6.md', 'task-2-post-review-4.md', 'task-1-review-9.md'];
const remembered = { kind: 'code-review', task: '2', iteration: 3, number: 4 };
const owed = (fields: Partial<KnownState> = {}, review: object | null = remembered, files = FILES) =>
  reviewToAnswer(
    { ...state, ...fields },
    { name: 'x', path: '/x', files, nested: false },
    review === null ? undefined : { review: { ...review } },
  );

describe('the review that is to be answered', () => {
  it('is the one that is remembered for this very iteration', () => {
    expect(owed()).toEqual({ number: 4, answered: true });
  });

  it.each([
    ['nothing is remembered', null],
    ['that is of another iteration', { ...remembered, iteration: 2 }],
    ['that is of another task', { ...remembered, task: '1' }],
    ['that is of another kind', { ...remembered, kind: 'plan-review' }],
    ['its file is gone', { ...remembered, number: 5 }],
  ])('is the highest-numbered of its kind where %s', (_, review) => {
    expect(owed({}, review)).toEqual({ number: 6, answered: false });
  });

  it('is none where no answer is owed, no task is current, or no file is there', () => {
    expect(owed({ next: 'code-review' })).toBeNull();
    expect(owed({ next: null })).toBeNull();
    expect(owed({ currentTask: null })).toBeNull();
    expect(owed({}, remembered, ['task-1-review-9.md', 'plan.md'])).toBeNull();
  });

  it('needs no task where it is not of one task’s code', () => {
    const files = ['plan-review-1.md', 'plan-post-review-1.md', 'plan-review-2.md'];
    expect(owed({ next: 'post-plan-review', currentTask: null }, null, files)).toEqual({
      number: 2,
      answered: false,
    });
  });
});

it('as many violations are said as have four thousand characters, and how many more there are', () => {
  const scene = planScene();
  scene.sound();
  const violations = () => observe(contextIn(scene.project, 'my-plan'))?.facts.violations;
  // Each of a hundred characters.
  const name = (index: number): string => `bad!${String(index).padStart(75, '0')}.md`;
  for (let index = 0; index < 40; index++) scene.put(name(index), '');
  const all = Array.from({ length: 40 }, (_, index) => `Invalid filename: ${name(index)}`);
  expect(all.join('')).toHaveLength(4000);
  expect(violations()).toEqual(all);
  scene.put(name(39).replace('.md', '0.md'), '');
  fs.rmSync(scene.at(name(39)));
  expect(violations()).toEqual([...all.slice(0, -1), 'and 1 more']);
  scene.put('worst!.md', '');
  expect(violations()).toEqual([...all.slice(0, -1), 'and 2 more']);
});
