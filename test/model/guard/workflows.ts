// The three workflows as the bound is computed for them: their real limits, and every state a run can be in.

import type { GuardLimits, Movement } from '../../../src/engine/guard/guard.ts';
import type {
  Change as ClaudexChange,
  Facts as ClaudexFacts,
  State as ClaudexState,
} from '../../../src/workflows/claudex/types.ts';
import type { Frame, Change as IdleChange, State as IdleState } from '../../../src/workflows/idle/types.ts';
import { REVIEWS } from '../../../src/workflows/taskie/phases.ts';
import type { Change as TaskieChange, State as TaskieState } from '../../../src/workflows/taskie/types.ts';
import * as claudex from '../claudex/domains.ts';
import * as claudexModel from '../claudex/model.ts';
import { type Given as IdleFacts, NOW } from '../idle/domains.ts';
import { type Decide as DecideIdle, framesAfter } from '../idle/model.ts';
import { PROOFS, UNTILS } from '../proofs.ts';
import * as taskie from '../taskie/domains.ts';
import * as taskieModel from '../taskie/model.ts';
import type { Bounded } from './bound.ts';

type Tools = readonly Movement['tools'][];

const STRICT: GuardLimits = { unmoved: 3, tools: 12, unknown: 12 };
const LOOPS: GuardLimits = { unmoved: 6, tools: null, unknown: 12 };

export function claudexBound(
  decide: claudexModel.Decide,
  tools: Tools,
): Bounded<claudex.Node, ClaudexState, ClaudexFacts, ClaudexChange> {
  const { domains, starts } = claudex;
  const { after, stateOf } = claudexModel;
  return { starts: starts.map(({ node }) => node), domains, stateOf, decide, after, limits: STRICT, tools };
}

export function taskieBound(
  decide: taskieModel.Decide,
  tools: Tools,
): Bounded<taskie.Node, TaskieState, taskie.Given, TaskieChange> {
  const starts = REVIEWS.map((next) => ({
    ...taskie.NEW_PLAN,
    currentTask: '1',
    maxReviews: 3,
    next,
    streakOf: 'untold' as const,
  }));
  const { domains, stateOf } = taskie;
  return { starts, domains, stateOf, decide, after: taskieModel.after, limits: STRICT, tools };
}

export function idleBound(
  decide: DecideIdle,
  stack: readonly Frame[],
  tools: Tools,
): Bounded<readonly Frame[], IdleState, IdleFacts, IdleChange> {
  return {
    starts: [stack],
    // One signal stands for all: a decision asks only whether there is one.
    domains: {
      now: () => [NOW],
      limited: () => [null],
      signal: () => ['none', 'COMPLETE'],
      nearMiss: () => ['none'],
      seen: () => [null],
      untilCheck: () => [null, 'test'],
      proof: () => PROOFS,
      until: () => UNTILS,
    },
    stateOf: (frames) => ({ kind: 'loop', event: 'STATE', updatedAt: NOW, stack: frames }),
    decide,
    // What has ended holds no more: an empty stack stands for it.
    after: (frames, step) => {
      const change = step.kind === 'hold' || step.kind === 'allow' ? step.change : null;
      if (change === null) return frames;
      return change.event === 'STATE' ? framesAfter(frames, change) : [];
    },
    limits: LOOPS,
    tools,
  };
}
