// What stops leave for views and for people who are called, killed at every step and failed at every step.

import { expect, it } from 'vitest';
import { crashEverywhere, failEverywhere } from './scenario.ts';
import { called, firstStop } from './watching.ts';

it('a run’s first stop, killed at every step, leaves its project in the list at the latest with the next one', async () => {
  const { problems, points } = await crashEverywhere(firstStop);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('a list of projects that cannot be written holds nobody up', async () => {
  const { problems } = await failEverywhere({ ...firstStop, watch: () => () => [] });
  expect(problems).toEqual([]);
});

it('an end that somebody is called about, killed at every step, calls once at most and ends the run', async () => {
  const { problems, points } = await crashEverywhere(called, { after: 'journal.jsonl' });
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(0);
});

it('a call that fails at any step changes no answer', async () => {
  // A file that cannot be removed is left; a later start sweeps it.
  const kinds = ['make-folder', 'create', 'write', 'set-mode', 'open', 'rename', 'spawn'];
  const { problems, points } = await failEverywhere(called, { after: 'journal.jsonl', kinds });
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(0);
});
