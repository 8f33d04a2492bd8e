// May a run with a budget hold the agent once more, or have one more review? Pure.

import type { Due, Limits, Spent, Stage } from './types.ts';

export type BudgetQuestion = { stage: Stage; limits: Limits; spent: Spent; due: Due };

export type BudgetAnswer =
  | 'goes-on'
  /** It is spent: one hold says so, in place of what is due. */
  | 'last-hold'
  /** That hold was given: the agent may stop, and the run is paused. */
  | 'pause'
  | 'stays-paused';

export function budgetAt({ stage, limits, spent, due }: BudgetQuestion): BudgetAnswer {
  switch (stage) {
    case 'paused':
      return 'stays-paused';
    case 'last-hold':
      return 'pause';
    case 'open':
      return spentOf(limits, spent, due).length === 0 ? 'goes-on' : 'last-hold';
  }
}

export const KINDS = ['tokens', 'timeMs', 'reviews', 'usd'] as const;
export type Kind = (typeof KINDS)[number];

/** Which of its parts are spent. With the last review paid for, work goes on until another one is due. */
export function spentOf(limits: Limits, spent: Spent, due: Due): Kind[] {
  return KINDS.filter((kind) => {
    const limit = limits[kind];
    return limit !== null && spent[kind] >= limit && (kind !== 'reviews' || due === 'review');
  });
}
