// What a plan may spend: asked for when it is made or continued, and kept from then on.

import {
  type BudgetAtStart,
  budgetAtStart,
  isBudgetAsked,
  refuseSecondBudget,
} from '../../../engine/budget/at-start.ts';
import { hasBudget } from '../../../engine/budget/place.ts';
import type { Project } from '../../../engine/project.ts';
import type { BudgetLimits } from '../../../store/records.ts';
import { readSidecar } from '../../../store/sidecars.ts';

/** docs/settings.md has the sum. */
export const MOST_REVIEWS =
  'Its reviews: at most 24 + 8 N for N tasks, with max_reviews 8; 6 + 2 N where all of them are clean.';

/**
 * Null: nothing is to be written. `begins`: the command makes plans, so the settings' budget counts, too. One that is
 * there stays, whatever becomes of the plan's own files: an agent could remove those.
 */
export function budgetOfPlan(
  project: Project,
  name: string,
  asked: BudgetLimits,
  begins: boolean,
): BudgetAtStart | null {
  refuseSecondBudget(project, name, asked);
  if (hasBudget(project, name)) return null;
  if (!isBudgetAsked(asked) && (!begins || isNoted(project, name))) return null;
  return budgetAtStart(project, asked);
}

/** Notes that cannot be read are written again by whoever claims the plan. */
function isNoted({ root }: Project, name: string): boolean {
  try {
    return readSidecar(root, name).budget !== undefined;
  } catch {
    return false;
  }
}
