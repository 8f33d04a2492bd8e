// The stop at which a client's cap ends the turn, killed and failed at every step: the run keeps its place, and the next
// prompt goes on.

import { expect, it } from 'vitest';
import { capped } from './client-cap.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('the stop that its client’s cap ends, killed at every step, waits and goes on', async () => {
  const { problems, points } = await crashEverywhere(capped);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('the stop that its client’s cap ends waits or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(capped)).problems).toEqual([]);
});
