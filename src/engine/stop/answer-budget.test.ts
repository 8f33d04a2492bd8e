import { describe, expect, it } from 'vitest';
import { bareProject, contextIn } from '../../../test/support/bare-project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { NO_GUARD_MEMORY, newSidecar, type ReviewAttempt } from '../../store/records.ts';
import type { AskedBudget, BudgetAtStop } from '../budget/at-stop.ts';
import type { Answered } from '../budget/changes.ts';
import type { BudgetAnswer } from '../budget/rule.ts';
import { type GuardResult, UNCOUNTED } from '../guard/progress.ts';
import type { AnyWorkflow } from '../workflow.ts';
import { holdLast, pauseRun } from './answer-budget.ts';
import type { AnyStep, Decided } from './answer-run.ts';
import type { Turn } from './turn.ts';

const NOW = 5_000;
const project = bareProject(NOW);
const STEP: AnyStep = { kind: 'hold', change: null, message: { name: 'go on', slots: {} }, notice: null };
const ENDED: ReviewAttempt = {
  ...{ id: 'r1', work: 'review', reviewer: 'critic', kind: 'k', number: 1, file: 'r.md', model: '' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now' },
};
const memory = { ...NO_GUARD_MEMORY, held: true };
const limits = { unmoved: 3, tools: 12, unknown: 12 };
const movement = { state: false, artifacts: false, tools: 'no' } as const;
const COUNTED: GuardResult = { kind: 'hold', memory, asked: { memory, movement, limits } };
const SIDECAR = { ...newSidecar('toy:a'), committed: { before: 'x', after: 'y' } };

const settled: Answered[] = [];
const budget = {
  settle: (what: Answered) => void settled.push(what),
  lastHold: (due: string) => `the last hold, ${due} being due`,
  paused: () => 'It is paused.',
} as unknown as BudgetAtStop;

const decidedWith = (more: Partial<Decided> = {}): Decided => ({
  ...{ workflow: { name: 'toy' } as AnyWorkflow, context: contextIn(project, 'a'), sidecar: SIDECAR },
  ...{ seen: { world: null, state: {}, facts: {}, stateHash: 'now' }, facts: {} as Decided['facts'] },
  ...{ ended: null, passed: null, asides: ['Beside it.'], said: null, waitedFor: undefined },
  ...{ noted: false, budget },
  wait: {
    ...{ question: null, asks: null, answered: null },
    answer: { kind: 'goes-on', waiting: null, ended: null },
  },
  ...more,
});
const asked = (answer: BudgetAnswer): AskedBudget => ({ answer, due: 'review', record: { answer } });

function answered(turn: Turn): Extract<Turn, { kind: 'answer' }> {
  if (turn.kind !== 'answer') throw new Error(`${turn.kind} is no answer`);
  return turn;
}
const settle = (turn: Extract<Turn, { kind: 'answer' }>): unknown => {
  settled.length = 0;
  turn.settle?.();
  return settled[0];
};

const NOTHING = { stateHash: 'now', commit: null, held: false, applied: null, passed: null };

describe('the last hold', () => {
  it('says so in place of what is due, and is counted', () => {
    const turn = answered(holdLast(decidedWith(), STEP, COUNTED, asked('last-hold')));
    expect(turn.served).toEqual({
      answer: { kind: 'hold', reason: 'the last hold, review being due', notice: 'Beside it.' },
      ...{ quiet: false, over: null, ended: null },
      record: {
        ...{ workflow: 'toy', run: 'a', state: {}, facts: {}, step: STEP },
        guard: { ...(COUNTED.kind === 'hold' ? COUNTED.asked : {}), result: 'hold' },
        budget: { answer: 'last-hold' },
      },
    });
    expect(turn.writes).toEqual({
      ...NOTHING,
      ...{ sidecar: SIDECAR, held: true, memory: { session: 'session-1', memory } },
    });
    expect(settle(turn)).toEqual({ kind: 'last-hold', due: 'review' });
  });

  it('keeps a verdict that is paid for', () => {
    const { writes } = answered(holdLast(decidedWith({ ended: ENDED }), STEP, COUNTED, asked('last-hold')));
    expect(writes).toMatchObject({ keepsVerdict: true, applied: null });
  });

  it('is not counted where the guard counts nothing', () => {
    const { writes } = answered(holdLast(decidedWith(), STEP, UNCOUNTED, asked('last-hold')));
    expect(writes).toMatchObject({ held: true, memory: null });
  });

  it('is given as feedback where the settings say so', () => {
    const feedback = { ...project, config: { ...DEFAULT_CONFIG, holdAs: 'feedback' as const } };
    const decided = decidedWith({ context: contextIn(feedback, 'a') });
    const { served } = answered(holdLast(decided, STEP, COUNTED, asked('last-hold')));
    expect(served.answer).toMatchObject({ kind: 'hold', as: 'feedback' });
  });

  it('has nothing to say without a budget', () => {
    const { served } = answered(holdLast(decidedWith({ budget: null }), STEP, COUNTED, asked('last-hold')));
    expect(served.answer).toMatchObject({ reason: '' });
  });
});

describe('the pause', () => {
  it('is said once, and stops the run’s clock', () => {
    const turn = answered(pauseRun(decidedWith(), STEP, asked('pause')));
    expect(turn.served).toMatchObject({
      answer: { kind: 'allow', notice: 'Beside it.\nIt is paused.', suppressOutput: false },
      ...{ quiet: false, over: null, ended: 'paused' },
      record: { guard: null, budget: { answer: 'pause' } },
    });
    expect(turn.writes).toEqual({
      ...{ ...NOTHING, sidecar: { ...SIDECAR, paused: NOW }, noted: true, memory: null },
    });
    expect(settle(turn)).toEqual({ kind: 'paused', now: NOW });
  });

  it('that stays is not said again', () => {
    const turn = answered(pauseRun(decidedWith(), STEP, asked('stays-paused')));
    expect(turn.served).toMatchObject({
      answer: { kind: 'allow', notice: 'Beside it.', suppressOutput: false },
      ended: null,
      record: { guard: null, budget: { answer: 'stays-paused' } },
    });
    expect(turn.writes).toEqual({ ...NOTHING, sidecar: SIDECAR, memory: null });
  });

  it.each(['pause', 'stays-paused'] as const)('(%s) keeps a verdict that is paid for', (answer) => {
    const { writes } = answered(pauseRun(decidedWith({ ended: ENDED }), STEP, asked(answer)));
    expect(writes).toMatchObject({ keepsVerdict: true, applied: null });
  });

  it('has nothing to say without a budget', () => {
    const { served } = answered(pauseRun(decidedWith({ budget: null }), STEP, asked('pause')));
    expect(served.answer.notice).toBe('Beside it.\n');
  });
});
