// What a review lists and costs, where the hook is killed between the verdict and its commit.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { inRealProcesses } from '../support/hook.ts';
import { Bench } from './bench.ts';
import { crashEverywhere } from './scenario.ts';
import { listed, ownPlan, planState, reviewLines } from './taskie.ts';

// What is left of a reviewer is ended by whoever finds it: a stop that has one is a process of its own.
inRealProcesses();

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.remove());

it('what a review lists and costs arrives with the verdict that a dead hook left', async () => {
  await ownPlan(bench);
  bench.reviewers('listed-late', 'clean');
  await bench.stop();
  expect(planState(bench)).toMatchObject({ phase_iteration: 0 });
  expect(reviewLines(bench)).toEqual([]);
  await bench.stop();
  expect(planState(bench)).toMatchObject({ phase_iteration: 1, next_phase: 'post-plan-review' });
  const facts = bench.journal().at(-1)?.facts;
  expect(facts).toMatchObject({ verdict: 'findings', listed: { high: 1, medium: 0, low: 1 } });
  const tokens = { input: 10, cacheCreation: 0, cacheRead: 0, output: 2 };
  const file = '.taskie/plans/my-plan/plan-review-1.md';
  expect(reviewLines(bench)).toEqual([{ file, verdict: 'findings', usd: 0.25, tokens }]);
});

it('a review that lists something, killed at every step, stands in the journal once', async () => {
  const { problems, points } = await crashEverywhere(listed);
  expect(problems).toEqual([]);
  expect(points).toBeGreaterThan(30);
});
