// Reviews of code with their patch, killed at every step and failed at every step.

import { expect, it } from 'vitest';
import { nextTask, patched } from './changes.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('a review with a patch, killed at every step, is neither lost nor run twice, and leaves no patch', async () => {
  const { problems, points } = await crashEverywhere(patched);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(40);
});

it('where the next task begins is known after any death while it was noted', async () => {
  expect((await crashEverywhere(nextTask)).problems).toEqual([]);
});

it('a patch whose every step fails in turn costs no review', async () => {
  expect((await failEverywhere(patched)).problems).toEqual([]);
});
