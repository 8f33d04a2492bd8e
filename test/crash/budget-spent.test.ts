// Runs whose budget is spent, or is about to be, killed at every step: there is at most one last hold, and a paused run
// stays paused until it is resumed.

import { expect, it } from 'vitest';
import { lastHold, pausing, resumed, reviewing } from './budget.ts';
import { crashCommand } from './commands.ts';
import { crashEverywhere } from './scenario.ts';

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
