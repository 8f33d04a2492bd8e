// Claudex's stops, killed at every step and failed at every step.

import { expect, it } from 'vitest';
import {
  declaredDone,
  diffReview,
  drafting,
  firstRound,
  lastRound,
  nextRound,
  released,
  summary,
} from './claudex.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';

it('a hold for a draft, killed at every step, is given at the next stop', async () => {
  const { problems, points } = await crashEverywhere(drafting);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(10);
});

it('the first round, killed at every step, begins once', async () => {
  expect((await crashEverywhere(firstRound)).problems).toEqual([]);
});

it('the next round, killed at every step, begins once', async () => {
  expect((await crashEverywhere(nextRound)).problems).toEqual([]);
});

it('the last round, killed at every step, leads to the summary', async () => {
  expect((await crashEverywhere(lastRound)).problems).toEqual([]);
});

it('a loop declared done, killed at every step, leads to the summary', async () => {
  expect((await crashEverywhere(declaredDone)).problems).toEqual([]);
});

it('the end of a loop, killed at every step, tidies up and is forgotten', async () => {
  expect((await crashEverywhere(summary)).problems).toEqual([]);
});

it('a release, killed at every step, comes at the next stop', async () => {
  expect((await crashEverywhere(released)).problems).toEqual([]);
});

it('the review of a diff, killed at every step, is asked for and ends', async () => {
  expect((await crashEverywhere(diffReview)).problems).toEqual([]);
});

it('a round whose every step fails in turn is told of or goes on', async () => {
  expect((await failEverywhere(firstRound)).problems).toEqual([]);
});
