// The stop at which a client's cap ends the turn, killed and failed at every step: the run keeps its place, and the next
// prompt goes on.

import { expect, it } from 'vitest';
import { capped, counted } from './client-cap.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('the stop that its client’s cap ends, killed at every step, waits and goes on', async () => {
  const { problems, points } = await crashEverywhere(capped);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('the stop that its client’s cap ends waits or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(capped)).problems).toEqual([]);
});

it('a hold that is counted for its client’s cap, killed at every step, is counted once', async () => {
  const { problems, points } = await crashEverywhere(counted);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('a hold is given whichever step of counting it fails', async () => {
  const { problems } = await failEverywhere(counted);
  // A hold that may not be on the disk is none: that is let go, and says why.
  expect(problems.filter((problem) => problem.includes(' .holdfast/sessions'))).toEqual([]);
});
