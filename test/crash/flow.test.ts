// Stops of a flow, killed at every step and failed at every step.

import { expect, it } from 'vitest';
import { complete, first, onward } from './flow.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('the first stop of a flow, killed at every step, is held at most once for each hold that it counts', async () => {
  const { problems, points } = await crashEverywhere(first);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('the first stop of a flow holds or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(first)).problems).toEqual([]);
});

it('a stop that goes on to another state, killed at every step, goes on once', async () => {
  expect((await crashEverywhere(onward)).problems).toEqual([]);
});

it('the end of a flow, killed at every step, is not lost', async () => {
  expect((await crashEverywhere(complete)).problems).toEqual([]);
});

it('the end of a flow comes or is said not to, whichever step fails', async () => {
  expect((await failEverywhere(complete)).problems).toEqual([]);
});
