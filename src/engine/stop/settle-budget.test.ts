import { describe, expect, it } from 'vitest';
import { bareProject, contextIn } from '../../../test/support/bare-project.ts';
import type { Answer } from '../../clients/stop.ts';
import { newSidecar, type Waiting } from '../../store/records.ts';
import type { AskedBudget, BudgetAtStop } from '../budget/at-stop.ts';
import type { Answered } from '../budget/changes.ts';
import type { BudgetAnswer } from '../budget/rule.ts';
import type { AnyWorkflow } from '../workflow.ts';
import type { AnyStep, Decided } from './answer-run.ts';
import { dueAt, settling } from './settle-budget.ts';

const NOW = 5_000;
const project = bareProject(NOW);
const asking = { asksForReview: (change: string) => change === 'ask' } as unknown as AnyWorkflow;
const HELD: Answer = { kind: 'hold', reason: 'go on', notice: null };
const ALLOWED: Answer = { kind: 'allow', notice: null, suppressOutput: false };
const REVIEW: AnyStep = {
  kind: 'review',
  review: { reviewer: 'critic', kind: 'k', number: 1, file: 'r.md', model: '' },
};
const hold = (change: string | null): AnyStep => ({
  ...{ kind: 'hold', change, message: { name: 'go on', slots: {} }, notice: null },
});
const allow: AnyStep = { kind: 'allow', change: 'ask', notice: null };

function decidedWith(waiting: Waiting | null, workflow: AnyWorkflow = asking) {
  const settled: Answered[] = [];
  const budget = { settle: (what: Answered) => void settled.push(what) } as unknown as BudgetAtStop;
  const answer =
    waiting === null
      ? ({ kind: 'goes-on', waiting: null, ended: null } as const)
      : ({ kind: 'waits', waiting, news: false, ended: null } as const);
  const decided: Decided = {
    ...{ workflow, context: contextIn(project, 'a'), sidecar: newSidecar('toy:a') },
    ...{ seen: { world: null, state: {}, facts: {}, stateHash: 'now' }, facts: {} as Decided['facts'] },
    ...{ ended: null, passed: null, asides: [], said: null, waitedFor: undefined, noted: false, budget },
    wait: { question: null, answer, asks: null, answered: null },
  };
  return { decided, settled };
}

const asked = (answer: BudgetAnswer): AskedBudget => ({ answer, due: 'review', record: null });

function settled(step: AnyStep, answer: Answer, spent: AskedBudget | null, waiting: Waiting | null = null) {
  const { decided, settled: done } = decidedWith(waiting);
  const { settle } = settling(decided, step, answer, spent);
  const before = done.length;
  settle?.();
  return [before, ...done];
}

describe('what an answer means for the budget', () => {
  it('is nothing where the run has none', () => {
    const { decided } = decidedWith(null);
    expect(settling({ ...decided, budget: null }, hold(null), HELD, null)).toEqual({});
  });

  const COUNTED = { key: 'asked now', counts: true, tokens: 0, cacheRead: 0, usd: 0 };
  it.each([
    ['a hold', hold(null), null],
    ['a hold with a change', hold('other'), null],
    ['a hold that asks for a review', hold('ask'), COUNTED],
  ])('(%s) is that it was held', (_, step, review) => {
    expect(settled(step, HELD, null)).toEqual([0, { kind: 'held', review }]);
    expect(settled(step, HELD, asked('goes-on'))).toEqual([0, { kind: 'held', review }]);
  });

  it('is the last hold, for what was due', () => {
    expect(settled(hold('ask'), HELD, asked('last-hold'))).toEqual([0, { kind: 'last-hold', due: 'review' }]);
  });

  it('is the pause, from now on', () => {
    expect(settled(hold(null), ALLOWED, asked('pause'))).toEqual([0, { kind: 'paused', now: NOW }]);
  });

  it('is a clock that stands still until the next stop, where the stop is allowed', () => {
    const still = { for: 'limit', since: NOW, until: null };
    for (const spent of [null, asked('goes-on'), asked('last-hold'), asked('stays-paused')])
      expect(settled(hold(null), ALLOWED, spent)).toEqual([0, { kind: 'allowed', still }]);
  });

  it('is a clock that stands still until the wait is over, where the run waits', () => {
    const waiting: Waiting = { for: 'work', since: 1_000, until: 9_000, what: 'tests' };
    const waits = (more: Partial<Waiting>) => settled(hold(null), ALLOWED, null, { ...waiting, ...more })[1];
    expect(waits({})).toEqual({ kind: 'allowed', still: { for: 'work', since: NOW, until: 9_000 } });
    expect(waits({})).not.toHaveProperty('still.reviewer');
    expect(waits({ for: 'limit', until: null, reviewer: 'critic' })).toEqual({
      kind: 'allowed',
      still: { for: 'limit', since: NOW, until: 601_000, reviewer: 'critic' },
    });
  });
});

describe('what is due', () => {
  it.each([
    ['a review', REVIEW, 'review'],
    ['a hold that asks for one', hold('ask'), 'review'],
    ['another hold', hold('other'), 'hold'],
    ['a hold without a change', hold(null), 'hold'],
    ['anything else', allow, 'hold'],
  ])('by %s', (_, step, due) => {
    expect(dueAt(decidedWith(null).decided, step)).toBe(due);
  });

  it('is a hold, whatever the change, of a workflow that asks for none', () => {
    const { decided } = decidedWith(null, {} as AnyWorkflow);
    expect(dueAt(decided, hold('ask'))).toBe('hold');
    const eager = decidedWith(null, { asksForReview: () => true } as unknown as AnyWorkflow);
    expect([hold(null), hold('x'), allow].map((step) => dueAt(eager.decided, step))).toEqual([
      ...['hold', 'review', 'hold'],
    ]);
  });
});
