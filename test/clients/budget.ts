// The words of the budget's scenarios: what a run has spent by its own account, and what the client says that it used.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Budget } from '../../src/engine/budget/types.ts';
import type { Stage } from './clients/stage.ts';
import { runCli } from './scenario.ts';
import type { Reply } from './servers/script.ts';

type Shown = { stage: string; limits: { tokens: number }; spent: { tokens: number } };

/** What `holdfast status` says of the only run here. */
export function budgetOf(stage: Stage): Shown {
  const { runs }: { runs: { budget: Shown | null }[] } = JSON.parse(runCli(stage, 'status', '--json'));
  expect(runs).toHaveLength(1);
  const budget = runs[0]?.budget ?? null;
  if (budget === null) throw new Error('the run has no budget');
  return budget;
}

/** What the only run of this user has spent of its hours, by its own record, also when it is over. */
export function minutesOf({ home }: Stage): number {
  const folder = path.join(home, '.local/state/holdfast/budgets');
  const [name, ...others] = fs.readdirSync(folder);
  if (name === undefined || others.length > 0) throw new Error(`not one budget in ${folder}`);
  const { spent }: Budget = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  return spent.timeMs / 60_000;
}

/** Claude Code's own account of the whole session, its subagents included, from the last result. */
export function usedByClaude(stdout: string): number {
  const result = eventsIn(stdout).findLast(({ type }) => type === 'result');
  const models = Object.values(result?.modelUsage ?? {});
  return models.reduce(
    (sum, { inputTokens, outputTokens, cacheCreationInputTokens }) =>
      sum + inputTokens + outputTokens + cacheCreationInputTokens,
    0,
  );
}

/** Codex's own account of the thread, from the end of its last turn. */
export function usedByCodex(stdout: string): number {
  const { usage } = eventsIn(stdout).findLast(({ type }) => type === 'turn.completed') ?? {};
  if (usage === undefined) throw new Error('no turn was completed');
  return usage.input_tokens - usage.cached_input_tokens + usage.output_tokens;
}

type Event = {
  type: string;
  modelUsage?: Record<
    string,
    { inputTokens: number; outputTokens: number; cacheCreationInputTokens: number }
  >;
  usage?: { input_tokens: number; cached_input_tokens: number; output_tokens: number };
};

function eventsIn(stdout: string): Event[] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** Waits for a subagent, which has an errand of its own. */
export const askSubagent: Reply = {
  say: 'I let somebody else count.',
  call: {
    tool: 'Agent',
    input: {
      description: 'count files',
      prompt: 'Count the files of this project.',
      subagent_type: 'general-purpose',
      run_in_background: false,
    },
  },
};

/** The same in Codex (0.166.0), which goes on meanwhile. What it is to do is encrypted: its own model reads it. */
export const spawnSubagent: Reply = {
  say: 'I let somebody else count.',
  call: {
    tool: 'spawn_agent',
    namespace: 'collaboration',
    input: { task_name: 'count', message: 'Count the files of this project.' },
  },
};
