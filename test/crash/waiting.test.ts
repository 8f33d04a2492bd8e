// Stops of runs that wait, killed and failed at every step: no wait, question or signal is lost, and the run goes on.

import { expect, it } from 'vitest';
import { crashEverywhere, failEverywhere } from './scenario.ts';
import { answered, claim, claimOnce, otherSignal, question, reviewer, work } from './waiting.ts';

it('a stop that begins to wait for work, killed at every step, comes to the same end', async () => {
  const { problems, points } = await crashEverywhere(work);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('a stop that begins to wait for work waits or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(work)).problems).toEqual([]);
});

it('a claim beside work that runs, killed at every step, comes to the same end', async () => {
  const { problems, points } = await crashEverywhere(claim);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('a claim beside work that runs, made once, is not lost, whichever step fails', async () => {
  expect((await failEverywhere(claimOnce)).problems).toEqual([]);
});

it('a signal of another run than the one that waits, given once, is not lost, whichever step fails', async () => {
  expect((await failEverywhere(otherSignal)).problems).toEqual([]);
});

it('a stop that shows a question, killed at every step, neither loses the run nor asks for ever', async () => {
  const { problems, points } = await crashEverywhere(question);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(5);
});

it('a question is shown before it counts as shown, whichever step fails', async () => {
  expect((await failEverywhere(question)).problems).toEqual([]);
});

it('the stop after an answer, killed at every step, goes on', async () => {
  expect((await crashEverywhere(answered)).problems).toEqual([]);
});

it('the stop after an answer goes on or says why it does not, whichever step fails', async () => {
  expect((await failEverywhere(answered)).problems).toEqual([]);
});

it('a review that ends at the reviewer’s limit, killed at every step, is counted for nothing', async () => {
  const { problems, points } = await crashEverywhere(reviewer);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(20);
});

it('a review that ends at the reviewer’s limit waits or is told of, whichever step fails', async () => {
  expect((await failEverywhere(reviewer)).problems).toEqual([]);
});
