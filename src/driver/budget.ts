// A driven run's budget: written for a run that its agent has begun, told what the client says it costs, and what of it
// is spent, in words.

import { budgetAtStart, isBudgetAsked, writeBudget } from '../engine/budget/at-start.ts';
import { reportMoney } from '../engine/budget/grant.ts';
import { noteWork } from '../engine/budget/note-work.ts';
import { lower } from '../engine/budget/pin.ts';
import { hasBudget } from '../engine/budget/place.ts';
import { changeBudget, readBudget } from '../engine/budget/record.ts';
import { spentOf } from '../engine/budget/rule.ts';
import { flagFor, spentInWords } from '../engine/budget/words.ts';
import { COMMAND_PATIENCE_MS } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import { journalBudget } from '../engine/stop/journal.ts';
import { withLock } from '../store/lock.ts';
import type { BudgetLimits } from '../store/records.ts';

/** What is spent, and the flags that grant more of it. */
export function spentBudget(project: Project, run: string): { why: string; flags: string } {
  try {
    const budget = readBudget(project, run);
    if (budget !== null) {
      const { limits, spent, due } = budget;
      const kinds = spentOf(limits, spent, due);
      const words = kinds.map((kind) => spentInWords(kind, limits, spent)).join(', ');
      return { why: `Its budget is spent: ${words}.`, flags: kinds.map(flagFor).join(' ') };
    }
  } catch {
    // One that cannot be read stops the run too; `status` says what is wrong with it.
  }
  return { why: 'Its budget cannot be read: `holdfast status` says why.', flags: '' };
}

/** Tokens that the run has used; null: nobody counts them. */
export function tokensOf(project: Project, run: string): number | null {
  try {
    const budget = readBudget(project, run);
    return budget === null || budget.limits.tokens === null ? null : budget.spent.tokens;
  } catch {
    return null;
  }
}

/**
 * The agent has begun its run: what was asked for on the command line is its budget, and counts from `startedAt` on. One
 * that its start has written already (the settings', or what the agent asked for) gives way where it allows more.
 */
export async function giveBudget(
  project: Project,
  run: string,
  asked: BudgetLimits,
  startedAt: number,
): Promise<void> {
  if (!isBudgetAsked(asked)) return;
  const atStart = budgetAtStart({ ...project, now: Math.min(startedAt, project.now) }, asked);
  if (atStart === null) return;
  await withLock(project.home, COMMAND_PATIENCE_MS, () =>
    hasBudget(project, run) ? lowerBudget(project, run, asked) : writeBudget(project, run, atStart),
  );
}

function lowerBudget(project: Project, run: string, asked: BudgetLimits): void {
  const known = readBudget(project, run);
  const limits = lower(known?.limits ?? null, asked);
  if (limits === null || JSON.stringify(limits) === JSON.stringify(known?.limits)) return;
  changeBudget(project, run, (there) => there && { ...there, limits });
  journalBudget(project, run, 'set', limits);
}

/** What a session has cost up to now. A budget that cannot be written is a stop's to speak of. */
export function noteMoney(project: Project, run: string, session: string, usd: number): void {
  try {
    reportMoney(project, run, session, usd);
  } catch {
    // As said above.
  }
}

/** The client is started or prompted, or its turn or it itself has ended: only the time in between is spent. */
export function noteClient(
  project: Project,
  { run }: { run: string | null },
  kind: 'begins' | 'ends',
  now: number,
): void {
  if (run === null) return;
  try {
    noteWork({ ...project, now }, run, kind);
  } catch {
    // As said above.
  }
}
