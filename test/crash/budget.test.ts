// Starts and stops of runs with a budget, killed and failed at every step: nothing is counted twice or lost. What comes
// when it is spent is in budget-spent.test.ts.

import { expect, it } from 'vitest';
import { counting, pinning, started } from './budget.ts';
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

it('a start with a budget, killed and failed at every step, can be made again', async () => {
  expect(await crashCommand(started)).toEqual([]);
});
