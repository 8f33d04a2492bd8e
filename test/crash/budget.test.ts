// Stops and commands of runs with a budget, killed and failed at every step: nothing is counted twice or lost, there is at
// most one last hold, and a paused run stays paused.

import { expect, it } from 'vitest';
import { counting, lastHold, pausing, pinning, resumed, reviewing, started } from './budget.ts';
import { crashCommand } from './commands.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('a stop that counts tokens, killed at every step, counts them once', async () => {
  const { problems, points } = await crashEverywhere(counting);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('a stop that counts tokens holds or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(counting)).problems).toEqual([]);
});

it('the stop that pins a budget, killed at every step, pins it once', async () => {
  expect((await crashEverywhere(pinning)).problems).toEqual([]);
});

it('the last hold, killed at every step, is given at most once', async () => {
  expect((await crashEverywhere(lastHold)).problems).toEqual([]);
});

it('the stop that pauses the run, killed at every step, leaves it paused', async () => {
  expect((await crashEverywhere(pausing)).problems).toEqual([]);
});

it('a review of a run with a budget, killed at every step, is counted once', async () => {
  expect((await crashEverywhere(reviewing)).problems).toEqual([]);
});

it('`holdfast resume`, killed and failed at every step, grants all of it or nothing', async () => {
  expect(await crashCommand(resumed)).toEqual([]);
});

it('a start with a budget, killed and failed at every step, can be made again', async () => {
  expect(await crashCommand(started)).toEqual([]);
});
