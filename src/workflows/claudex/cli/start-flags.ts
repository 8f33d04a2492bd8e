// The flags that `plan` and `review` share: one start serves both.

import { BUDGET_OPTIONS, BUDGET_USAGE, budgetFlags } from '../../../engine/budget/at-start.ts';
import { type Call, type Command, WrongUsage } from '../../../engine/workflow-cli.ts';
import type { BudgetLimits } from '../../../store/records.ts';
import { wholeNumber } from '../state-format.ts';
import type { Mode } from '../types.ts';

export const START_USAGE = `[--rounds N] [--from-draft] [--skip-interview] [--interviewed] ${BUDGET_USAGE}`;

export const START_OPTIONS: Command['options'] = {
  rounds: { type: 'string' },
  'from-draft': { type: 'boolean' },
  'skip-interview': { type: 'boolean' },
  interviewed: { type: 'boolean' },
  ...BUDGET_OPTIONS,
};

export type StartFlags = {
  /** Null: as many as the environment says. */
  rounds: number | null;
  fromDraft: boolean;
  interviewed: boolean;
  budget: BudgetLimits;
};

export function readStartFlags({ flags }: Call, mode: Mode): StartFlags {
  return {
    rounds: readRounds(flags.rounds, mode),
    fromDraft: flags['from-draft'] === true,
    interviewed: flags.interviewed === true,
    budget: budgetFlags(flags, `claudex ${mode}`),
  };
}

function readRounds(flag: Call['flags'][string], mode: Mode): number | null {
  if (flag === undefined) return null;
  const rounds = wholeNumber(String(flag));
  if (rounds === null)
    throw new WrongUsage(`claudex ${mode}: --rounds takes a whole number above 0, not "${String(flag)}".`);
  return rounds;
}
