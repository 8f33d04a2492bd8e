// The docket, killed and failed at every step between a verdict, the docket and the state: no finding is lost, and no id
// is given twice.

import { expect, it } from 'vitest';
import { broken, leftRound, listed } from './docket.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('a verdict with findings, killed at every step, is in the docket once', async () => {
  const { problems, points } = await crashEverywhere(listed);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(30);
});

it('a docket that is set aside, killed at every step, is begun again once', async () => {
  expect((await crashEverywhere(broken, { after: 'plan-review-2.md' })).problems).toEqual([]);
});

it('a round that is left behind, killed at every step, is in the docket once', async () => {
  expect((await crashEverywhere(leftRound)).problems).toEqual([]);
});

it('a verdict with findings whose every step fails in turn is told of, and nothing is lost', async () => {
  expect((await failEverywhere(listed)).problems).toEqual([]);
});
