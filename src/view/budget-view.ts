// A run's budget as views show it, and how many more iterations it leaves.

import { hasBudget } from '../engine/budget/place.ts';
import { readBudget } from '../engine/budget/record.ts';
import { KINDS } from '../engine/budget/rule.ts';
import type { Project } from '../engine/project.ts';
import { describeBudget, iterationsLeft } from './describe-budget.ts';
import type { BudgetView } from './model.ts';

/** Null: it has none, or one that cannot be read. */
export function budgetView(
  project: Project,
  name: string,
  burn: BudgetView['burn'],
): { view: BudgetView; iterationsLeft: number | null } | null {
  if (!hasBudget(project, name)) return null;
  const budget = readQuietly(project, name);
  if (budget === null) return null;
  const { stage, limits, spent, holds } = budget;
  const left = { ...limits };
  for (const kind of KINDS) {
    const limit = limits[kind];
    left[kind] = limit === null ? null : Math.max(0, limit - spent[kind]);
  }
  const text = describeBudget(project, name) ?? '';
  const view = { stage, limits, spent, left, iterations: holds, burn: [...burn], text };
  return { view, iterationsLeft: iterationsLeft(budget) };
}

/** `status` says what is wrong with it. */
function readQuietly(project: Project, name: string) {
  try {
    return readBudget(project, name);
  } catch {
    return null;
  }
}
