// Writes a run's budget down for the first time: at its start where that may write in the user's folder, else at its
// first stop, from what the start noted. Once there, no start and no note changes it.

import type { BudgetNotes } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { journalBudget } from '../stop/journal.ts';
import { changeBudget } from './record.ts';
import { KINDS } from './rule.ts';
import type { Budget, Limits } from './types.ts';

/** The budget that counts from now on, which may be an older one. */
export function pinBudget(project: Project, name: string, { limits, startedAt }: BudgetNotes): Budget | null {
  const { root, now } = project;
  let isNew = false;
  const kept = changeBudget(project, name, (known) => {
    isNew = known === null;
    return known ?? newBudget(root, name, limits, Math.min(startedAt, now), now);
  });
  if (isNew) journalBudget(project, name, 'set', limits);
  return kept;
}

/** Notes lie in the project, so they cannot grant more than the settings do. Null: there is nothing to pin. */
export function pinAtStop(project: Project, name: string, notes: BudgetNotes | undefined): Budget | null {
  const { config, now } = project;
  const limits = lower(notes?.limits ?? null, config.budget);
  return limits === null ? null : pinBudget(project, name, { limits, startedAt: notes?.startedAt ?? now });
}

export function lower(one: Limits | null, other: Limits | null): Limits | null {
  if (one === null || other === null) return one ?? other;
  const limits = { ...one };
  for (const kind of KINDS) {
    const [asked, most] = [one[kind], other[kind]];
    limits[kind] = asked === null || most === null ? (asked ?? most) : Math.min(asked, most);
  }
  return limits;
}

export function newBudget(
  root: string,
  name: string,
  limits: Limits,
  startedAt: number,
  now: number,
): Budget {
  return {
    schema: 1,
    run: name,
    root,
    startedAt,
    limits,
    spent: { tokens: 0, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 },
    stage: 'open',
    due: 'hold',
    pausedAt: null,
    holds: 0,
    clock: { at: Math.min(startedAt, now), still: null },
    meter: { session: null, since: startedAt, isHeld: true, pauses: [], files: {}, seen: [] },
    reviewed: [],
    money: {},
  };
}
