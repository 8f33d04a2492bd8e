// Each of these is the guard with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { dependsOnTools, type GuardLimits, settle, weigh } from '../../../src/engine/guard/guard.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { decide as decideClaudex } from '../../../src/workflows/claudex/decide.ts';
import { decide as decideIdle } from '../../../src/workflows/idle/decide.ts';
import { foundBy, walkNotices } from '../defect.ts';
import { guardWalk, walkGuard } from '../walker/guard.ts';
import { holdsWithoutProgress } from './bound.ts';
import { invariants } from './invariants.ts';
import { guardModel, type Settle, type Weigh } from './model.ts';
import { claudexBound, idleBound } from './workflows.ts';

const LIMITS: GuardLimits = { unmoved: 3, tools: 12, unknown: 12 };

const never: Weigh = (memory) => ({ kind: 'hold', memory: { ...memory, held: true } });

const defects: Readonly<Record<string, [Weigh, string]>> = {
  'one unmoved hold too many': [
    (memory, movement, limits) => weigh(memory, movement, { ...limits, unmoved: limits.unmoved + 1 }),
    'holds without even a tool call are bounded',
  ],
  'a tool call ends every row': [
    (memory, movement, limits) =>
      weigh(movement.tools === 'yes' ? { ...memory, noProgress: 0 } : memory, movement, limits),
    'holds with tool calls alone are bounded',
  ],
  'what the transcript cannot tell counts as a tool call for ever': [
    (memory, movement, limits) =>
      weigh(memory, movement.tools === 'unknown' ? { ...movement, tools: 'yes' } : movement, {
        ...limits,
        tools: null,
      }),
    'holds behind a transcript that cannot tell are bounded',
  ],
  'let go a hold too early': [
    (memory, movement, limits) => weigh(memory, movement, { ...limits, unmoved: limits.unmoved - 1 }),
    'nobody is let go before a limit is reached',
  ],
  'what the transcript cannot tell counts as nothing done': [
    (memory, movement, limits) =>
      weigh(memory, movement.tools === 'unknown' ? { ...movement, tools: 'no' } : movement, limits),
    'nobody is let go before a limit is reached',
  ],
  'a new findings file is no progress': [
    (memory, movement, limits) => weigh(memory, { ...movement, artifacts: false }, limits),
    'what others moved is always progress',
  ],
  'a command does not bring a released run back': [
    (memory, movement, limits) =>
      weigh(memory, memory.released ? { ...movement, state: false } : movement, limits),
    'what others moved is always progress',
  ],
  'a tool call brings a released run back': [
    (memory, movement, limits) =>
      weigh(
        movement.tools === 'yes'
          ? { ...memory, released: false, noProgress: 0, noTools: 0, toolsUnknown: 0 }
          : memory,
        movement,
        limits,
      ),
    'released stays released until something moves',
  ],
  'a turn of waiting is a hold without progress': [
    (memory, movement, limits) => weigh(memory, { ...movement, waited: false }, limits),
    'a turn of waiting is held, and counts nothing',
  ],
  'a turn of waiting ends every row': [
    (memory, movement, limits) =>
      movement.waited && !memory.released
        ? { kind: 'hold', memory: { ...memory, held: true, noProgress: 0, noTools: 0, toolsUnknown: 0 } }
        : weigh(memory, movement, limits),
    'a turn of waiting is held, and counts nothing',
  ],
  'a turn of waiting brings a released run back': [
    (memory, movement, limits) =>
      weigh(movement.waited ? { ...memory, released: false } : memory, movement, limits),
    'released stays released until something moves',
  ],
  'the user is notified at every stop': [
    (memory, movement, limits) => {
      const weighed = weigh(memory, movement, limits);
      return weighed.kind === 'release' ? { ...weighed, first: true } : weighed;
    },
    'the user is notified once per release',
  ],
  'the user is never told': [
    (memory, movement, limits) => {
      const weighed = weigh(memory, movement, limits);
      return weighed.kind === 'release' ? { ...weighed, first: false } : weighed;
    },
    'the user is notified once per release',
  ],
  'a release is forgotten': [
    (memory, movement, limits) => {
      const weighed = weigh(memory, movement, limits);
      return weighed.kind === 'release'
        ? { ...weighed, memory: { ...weighed.memory, released: false } }
        : weighed;
    },
    'a release is remembered, and spends nothing',
  ],
  'a first hold is forgotten': [
    (memory, movement, limits) => {
      const weighed = weigh(memory, movement, limits);
      return { ...weighed, memory: { ...weighed.memory, held: memory.held } };
    },
    'every hold is remembered',
  ],
};

describe('a planted defect of the guard', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    const checked = only(invariants(LIMITS, dependsOnTools), invariant);
    expect(foundBy(guardModel(defective, LIMITS, checked))).toBe(invariant);
  });

  it.each(Object.entries(defects))('is found by the walker too: %s', (_, [defective]) => {
    expect(walkNotices(guardWalk, (walk) => walkGuard(defective, walk))).toBe(true);
  });

  it.each<[string, Settle, string]>([
    [
      'a run that somebody moved stays released when an allowed stop commits',
      (memory) => memory,
      'what others moved before an allow that commits is progress',
    ],
    [
      'holds before somebody moved the state are still counted',
      (memory, moved) => (moved ? { ...memory, released: false } : memory),
      'what others moved before an allow that commits is progress',
    ],
    [
      'every allowed stop brings a released run back',
      (memory) => settle(memory, true),
      'an allow that commits is no progress by itself',
    ],
  ])('is found by the explorer: %s', (_, settling, invariant) => {
    expect(foundBy(guardModel(weigh, LIMITS, invariants(LIMITS, dependsOnTools), settling))).toBe(invariant);
  });

  it('is found by the explorer: a late transcript is never waited for', () => {
    const name = 'a late transcript is waited for exactly when the answer depends on it';
    const checked = only(
      invariants(LIMITS, () => false),
      name,
    );
    expect(foundBy(guardModel(weigh, LIMITS, checked))).toBe(name);
  });

  it('is found by the bound: a guard that never lets go holds a drafting agent for ever', () => {
    const bounded = { ...claudexBound(decideClaudex, ['no']), weigh: never };
    expect(holdsWithoutProgress(bounded)).toMatchObject({ kind: 'endless' });
  });

  it('is found by the bound: a loop that spends no iteration never ends while tools are called', () => {
    const free: typeof decideIdle = (state, facts) => {
      const step = decideIdle(state, facts);
      if (step.kind !== 'hold' || step.change === null) return step;
      return { ...step, change: { ...step.change, step: false } };
    };
    const stack = [{ mode: 'loop', iter: 0, max: 3, carryOn: false }] as const;
    const bound = holdsWithoutProgress(idleBound(free, stack, ['yes']));
    expect(bound).toMatchObject({ kind: 'endless' });
  });
});
