// Taskie's stops for the crash suite: reviews of every outcome, and the stops around them.

import fs from 'node:fs';
import { FULL_STATE, TASKS, taskText } from '../fixtures/taskie/plan.ts';
import type { Bench } from './bench.ts';
import type { Scenario } from './scenario.ts';

const PLAN = '.taskie/plans/my-plan';
const FIRST = 'plan-review-1.md';
const SECOND = 'plan-review-2.md';

type Fields = Partial<Record<keyof typeof FULL_STATE, unknown>>;

/** A plan that is this session's, in the given state. */
export async function ownPlan(bench: Bench, fields: Fields = {}): Promise<void> {
  const { project } = bench;
  project.write(`${PLAN}/plan.md`, '# Plan\n\n## Overview\n\nSomething small.\n');
  project.write(`${PLAN}/tasks.md`, TASKS);
  for (const id of ['1', '2']) project.write(`${PLAN}/task-${id}.md`, taskText(id));
  project.write(`${PLAN}/state.json`, JSON.stringify({ ...FULL_STATE, ...fields }, null, 2));
  await bench.holdfast(['taskie', 'next', '--plan', 'my-plan']);
}

export function planState(bench: Bench): Record<string, unknown> {
  return JSON.parse(bench.project.read(`${PLAN}/state.json`));
}

const shared = {
  run: () => 'taskie:my-plan',
  view: planState,
} satisfies Partial<Scenario>;

/** Answers what is asked and stops again, with reviewers that find nothing, until the plan's review is over. */
export async function answerReviews(bench: Bench): Promise<unknown> {
  bench.reviewers('clean');
  for (let stops = 0; stops < 6; stops++) {
    const { next_phase: next } = planState(bench);
    if (next === 'create-tasks') return planState(bench);
    const asked = fs.readdirSync(bench.at(PLAN)).filter((file) => /^plan-review-\d+\.md$/.test(file));
    for (const file of next === 'post-plan-review' ? asked : [])
      bench.project.write(`${PLAN}/${file.replace('review', 'post-review')}`, '# Answer\n');
    await bench.stop();
  }
  throw new Error(`the reviews never end: ${JSON.stringify(planState(bench))}`);
}

/** A first review with findings: the agent is held to answer it. */
export const findings: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('findings', 'clean');
  },
  carryOn: answerReviews,
  reviewed: [FIRST, SECOND, 'plan-review-3.md'],
};

/** The journal's lines of reviews: what each said it cost, in their order. */
export function reviewLines(bench: Bench): unknown[] {
  return bench.journal('review').map(({ file, verdict, usd, tokens }) => ({ file, verdict, usd, tokens }));
}

/** A review that lists what it found and says what it cost: the journal has that once, whatever happens. */
export const listed: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('listed', 'clean');
  },
  async carryOn(bench) {
    const end = await answerReviews(bench);
    return { ...(end as object), lines: reviewLines(bench) };
  },
  reviewed: [FIRST, SECOND, 'plan-review-3.md'],
};

/** The hook died after the verdict, and a person edited what it does not speak of: both stand. */
export const editedMeanwhile: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('orphan-late', 'clean');
    await bench.stop();
    const edited = { ...planState(bench), max_reviews: 5, mine: 'kept' };
    bench.project.write(`${PLAN}/state.json`, JSON.stringify(edited));
  },
  carryOn: answerReviews,
  reviewed: [FIRST, SECOND, 'plan-review-3.md'],
};

/** The second clean review in a row, after an answer: the plan moves on and the user's stop is allowed. */
export const secondClean: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('clean');
    await bench.stop();
    bench.project.write(`${PLAN}/plan-post-review-1.md`, '# Answer\n');
  },
  carryOn: answerReviews,
  reviewed: [FIRST, SECOND],
};

/** A reviewer that fails: allowed, told, counted as a failure and never as a review. */
export const failed: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('crash', 'clean');
  },
  async carryOn(bench) {
    const end = await answerReviews(bench);
    return { ...(end as object), failures: bench.sidecar('taskie:my-plan')?.failures.count };
  },
};

/** A verdict without its file is none. */
export const withoutFile: Scenario = {
  ...failed,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('no-file', 'clean');
  },
};

/** An answer is owed: held without any change of the state. */
export const owed: Scenario = {
  ...shared,
  async prepare(bench) {
    await ownPlan(bench);
    bench.reviewers('findings', 'clean');
    await bench.stop();
  },
  carryOn: answerReviews,
  reviewed: [FIRST, SECOND, 'plan-review-3.md'],
};

/** A hold without progress, where no more is allowed: the guard lets go. */
export const released: Scenario = {
  ...shared,
  async prepare(bench) {
    bench.project.write('holdfast.config.json', '{"guard":{"unmoved":1}}');
    bench.project.write('transcript.jsonl', '{"uuid":"u1","type":"user","message":{"content":"go"}}\n');
    await ownPlan(bench);
    bench.reviewers('findings', 'clean');
    await bench.stop(transcriptOf(bench));
  },
  payload: transcriptOf,
  carryOn: answerReviews,
  reviewed: [FIRST, SECOND, 'plan-review-3.md'],
};

function transcriptOf(bench: Bench): object {
  return { transcript_path: bench.at('transcript.jsonl') };
}

/** Reviews turned off by hand: the stop moves the plan on without one. */
export const skipped: Scenario = {
  ...shared,
  prepare: (bench) => ownPlan(bench, { max_reviews: 0 }),
  carryOn: answerReviews,
};
