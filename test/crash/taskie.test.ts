// Taskie's stops, killed at every step and failed at every step.

import { expect, it } from 'vitest';
import { inRealProcesses } from '../support/hook.ts';
import { crashEverywhere, failEverywhere } from './scenario.ts';
import { editedMeanwhile, failed, findings, owed, released, secondClean, skipped } from './taskie.ts';

// What is left of a reviewer is ended by whoever finds it: a stop that has one is a process of its own.
inRealProcesses();

it('a review with findings, killed at every step, is neither lost nor run twice', async () => {
  const { problems, points } = await crashEverywhere(findings);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(30);
});

it('a verdict on a state that was edited beside it, killed at every step, is applied once to the edited state', async () => {
  expect((await crashEverywhere(editedMeanwhile)).problems).toEqual([]);
});

it('a second clean review, killed at every step, moves the plan on once', async () => {
  expect((await crashEverywhere(secondClean)).problems).toEqual([]);
});

it('a failed review, killed at every step, never counts as one', async () => {
  expect((await crashEverywhere(failed)).problems).toEqual([]);
});

it('a hold for an answer that is owed, killed at every step, is given at the next stop', async () => {
  expect((await crashEverywhere(owed)).problems).toEqual([]);
});

it('a release, killed at every step, comes at the next stop', async () => {
  expect((await crashEverywhere(released)).problems).toEqual([]);
});

it('a skipped review, killed at every step, moves the plan on once', async () => {
  expect((await crashEverywhere(skipped)).problems).toEqual([]);
});

it('a review whose every step fails in turn is told of, and is not paid for twice', async () => {
  expect((await failEverywhere(findings)).problems).toEqual([]);
});
