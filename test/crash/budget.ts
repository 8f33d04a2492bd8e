// Stops of runs with a budget for the crash suite: what is counted is counted once, whenever the hook dies.

import fs from 'node:fs';
import type { Budget } from '../../src/engine/budget/types.ts';
import type { Fired } from '../support/hook.ts';
import type { Bench } from './bench.ts';
import type { Commanded } from './commands.ts';
import { hold, topicState } from './idle.ts';
import type { Scenario } from './scenario.ts';
import { findings as review } from './taskie.ts';
import { says, usesTool } from './transcript.ts';

/** The agent uses so many tokens in one message. */
export function uses(bench: Bench, tokens: number): void {
  usesTool(bench, { usage: { input_tokens: tokens, output_tokens: 0 } });
}

export function budgetOf(bench: Bench): Budget | null {
  const folder = bench.state('budgets');
  const [name] = fs.existsSync(folder) ? fs.readdirSync(folder).filter((each) => !each.startsWith('.')) : [];
  return name === undefined ? null : JSON.parse(fs.readFileSync(bench.state('budgets', name), 'utf8'));
}

export async function startLoop(bench: Bench, ...flags: string[]): Promise<void> {
  const ran = await bench.holdfast(['idle', 'loop', ...flags], { stdin: 'Fix the parser.' });
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
  await new Promise((resolve) => setTimeout(resolve, 5));
}

const { run } = hold;
const isHeld = ({ answer }: Fired): boolean => answer?.decision === 'block';

/** One more iteration, with tokens that are still to be counted. */
export const counting: Scenario = {
  ...{ run, payload: says, view: topicState },
  async prepare(bench) {
    await startLoop(bench, '--tokens', '1M');
    uses(bench, 100);
    await bench.stop(says(bench));
    uses(bench, 70);
  },
  async carryOn(bench) {
    uses(bench, 5);
    await bench.stop(says(bench));
    const { spent, stage } = budgetOf(bench) ?? {};
    return { tokens: spent?.tokens, stage, end: await hold.carryOn(bench) };
  },
};

/** The first stop of a run whose start could write nothing in the user's folder: its budget is pinned here. */
export const pinning: Scenario = {
  ...counting,
  async prepare(bench) {
    await startLoop(bench, '--tokens', '1M');
    fs.rmSync(bench.state('budgets'), { recursive: true });
    uses(bench, 70);
  },
};

/** The last hold, in place of an iteration; then the pause, more from a person, and the end. */
export const lastHold: Scenario = {
  ...{ run, payload: says, view: topicState },
  async prepare(bench) {
    await startLoop(bench, '--tokens', '100');
    uses(bench, 170);
  },
  async carryOn(bench) {
    for (let stops = 0; stops < 3; stops++) await bench.stop(says(bench));
    const { stage, spent } = budgetOf(bench) ?? {};
    const ran = await bench.atTerminal(['resume', '--tokens', '1k'], '');
    const held = isHeld(await bench.stop(says(bench)));
    return { stage, tokens: spent?.tokens, exit: ran.exitCode, held, end: await hold.carryOn(bench) };
  },
};

/** The stop after the last hold. */
export const pausing: Scenario = {
  ...lastHold,
  async prepare(bench) {
    await lastHold.prepare(bench);
    await bench.stop(says(bench));
  },
  watch: (bench) => () => (budgetOf(bench)?.stage === 'paused' ? [] : ['it is not paused at the next stop']),
};

/** A review of a plan with a budget is counted once. */
export const reviewing: Scenario = {
  ...review,
  async prepare(bench) {
    await review.prepare(bench);
    const ran = await bench.holdfast(['taskie', 'next', '--reviews', '5']);
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
  },
  async carryOn(bench) {
    const end = await review.carryOn(bench);
    return { end, reviews: budgetOf(bench)?.spent.reviews };
  },
};

/** A person grants more. Run again after a death, it may have been granted twice: both times by a person. */
export const resumed: Commanded = {
  async prepare(bench) {
    await pausing.prepare(bench);
    await bench.stop(says(bench));
  },
  args: () => ['resume', '--tokens', '1k'],
  run: (bench, args, fault) => bench.atTerminal(args, '', fault),
  view: (bench) => ({ stage: budgetOf(bench)?.stage, limit: budgetOf(bench)?.limits.tokens }),
  async carryOn(bench) {
    const held = isHeld(await bench.stop(says(bench)));
    return { held, tokens: budgetOf(bench)?.spent.tokens, end: await hold.carryOn(bench) };
  },
};

/** A start with a budget. */
export const started: Commanded = {
  prepare: async () => {},
  args: () => ['idle', 'loop', '--tokens', '1M'],
  stdin: 'Fix the parser.',
  // Notes, budget and state are written one after the other; the state makes it a run.
  view: (bench) =>
    bench.project.exists('.jwz/messages.jsonl') && bench.project.read('.jwz/messages.jsonl') !== '',
  async carryOn(bench) {
    uses(bench, 70);
    const held = isHeld(await bench.stop(says(bench)));
    return { held, end: await hold.carryOn(bench) };
  },
};
