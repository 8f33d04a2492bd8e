// Each of these is the rules with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { only } from '../../../src/explorer/invariant.ts';
import { foundBy } from '../defect.ts';
import { invariants } from './invariants.ts';
import { budgetModel, RULES, type Rules } from './model.ts';

const { budgetAt, metered, answered, raised } = RULES;

const defects: Readonly<Record<string, [Partial<Rules>, string]>> = {
  'only more than the limit counts as spent': [
    {
      budgetAt: (question) =>
        budgetAt({
          ...question,
          spent: { ...question.spent, tokens: Math.max(0, question.spent.tokens - 1) },
        }),
    },
    'a spent run is held no more, but for the last hold',
  ],
  'spent reviews keep nothing back': [
    { budgetAt: (question) => budgetAt({ ...question, due: 'hold' }) },
    'a spent run is held no more, but for the last hold',
  ],
  'spent reviews keep every hold back': [
    { budgetAt: (question) => budgetAt({ ...question, due: 'review' }) },
    'a run with something left goes on',
  ],
  'the last hold is not written down': [
    { answered: (budget, what) => (what.kind === 'last-hold' ? budget : answered(budget, what)) },
    'there is one last hold',
  ],
  'a stop that is allowed forgets the last hold': [
    {
      answered: (budget, what) => {
        const next = answered(budget, what);
        return what.kind === 'allowed' && next.stage === 'last-hold' ? { ...next, stage: 'open' } : next;
      },
    },
    'there is one last hold',
  ],
  'a spent run is paused at once': [
    {
      budgetAt: (question) => {
        const answer = budgetAt(question);
        return answer === 'last-hold' ? 'pause' : answer;
      },
    },
    'no run is paused without its last hold',
  ],
  'the run goes on after its last hold': [
    {
      budgetAt: (question) =>
        budgetAt({ ...question, stage: question.stage === 'last-hold' ? 'open' : question.stage }),
    },
    'after the last hold the agent may stop',
  ],
  'a paused run is asked as any other': [
    {
      budgetAt: (question) =>
        budgetAt({ ...question, stage: question.stage === 'paused' ? 'open' : question.stage }),
    },
    'a paused run is never held',
  ],
  'a stop opens what was paused': [
    {
      metered: (budget, what) => {
        const next = metered(budget, what);
        return next.stage === 'paused' ? { ...next, stage: 'open' } : next;
      },
    },
    'no stop brings a paused run back',
  ],
  'each last hold grants a little': [
    {
      answered: (budget, what) => {
        const next = answered(budget, what);
        const { limits } = next;
        return what.kind === 'last-hold'
          ? { ...next, limits: { ...limits, tokens: (limits.tokens ?? 0) + 1 } }
          : next;
      },
    },
    'no stop grants more',
  ],
  'what was read is not added': [
    {
      metered: (budget, what) => {
        const next = metered(budget, what);
        return { ...next, spent: { ...next.spent, tokens: budget.spent.tokens } };
      },
    },
    'what was used is counted',
  ],
  'both of two hooks count what they read': [
    {
      metered: (budget, what) =>
        metered(budget, { ...what, usage: what.usage && { ...what.usage, before: budget.meter } }),
    },
    'nothing is counted twice',
  ],
  'the place is not remembered': [
    { metered: (budget, what) => ({ ...metered(budget, what), meter: budget.meter }) },
    'nothing is counted twice',
  ],
  'a grant begins again at nothing': [
    {
      metered: (budget, what) => {
        const next = metered(budget, what);
        const isFresh = next.limits.tokens !== null && next.limits.tokens > 1;
        return isFresh ? { ...next, spent: { ...next.spent, tokens: 0 } } : next;
      },
    },
    'nothing that was spent is given back',
  ],
  'a review is counted only while another is left': [
    {
      answered: (budget, what) => {
        const next = answered(budget, what);
        return what.kind === 'held' ? { ...next, reviewed: ['r0', 'r1', 'r2', 'r3'] } : next;
      },
    },
    'a review that ended is counted',
  ],
  'the clock does not stand still after an allowed stop': [
    { answered: (budget, what) => (what.kind === 'allowed' ? budget : answered(budget, what)) },
    'time counts while the run works, and only then',
  ],
  'the time of a pause counts after it': [
    { raised: (budget, more, now) => ({ ...raised(budget, more, now), clock: budget.clock }) },
    'time counts while the run works, and only then',
  ],
};

describe('a planted defect of the budget', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    const rules = { ...RULES, ...defective };
    expect(foundBy(budgetModel(rules, only(invariants, invariant)))).toBe(invariant);
  });

  it('has every invariant to be found by', () => {
    const found = new Set(Object.values(defects).map(([, invariant]) => invariant));
    expect(Object.keys(invariants).filter((name) => !found.has(name))).toEqual([]);
  });
});
