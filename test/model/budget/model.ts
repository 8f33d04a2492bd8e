// A run's budget as the explorer walks it, apart from any workflow: stops with anything due, tokens and time that are
// used, a hook that dies before or after it counted, two hooks at once, and a person who grants more. Beside the record
// stands what really happened.

import {
  answered,
  type CountedReview,
  metered,
  raised,
  withReview,
} from '../../../src/engine/budget/changes.ts';
import { newBudget } from '../../../src/engine/budget/pin.ts';
import { type BudgetAnswer, budgetAt } from '../../../src/engine/budget/rule.ts';
import type { Budget, Stage } from '../../../src/engine/budget/types.ts';
import { LazyFacts } from '../../../src/explorer/choices.ts';
import type { Edge, Model } from '../../../src/explorer/explorer.ts';
import { checker } from '../../../src/explorer/invariant.ts';
import { Space } from '../../../src/explorer/space.ts';
import { invariants } from './invariants.ts';

export type Rules = {
  budgetAt: typeof budgetAt;
  metered: typeof metered;
  answered: typeof answered;
  raised: typeof raised;
};

export const RULES: Rules = { budgetAt, metered, answered, raised };

export type Node = {
  stage: Stage;
  due: 'hold' | 'review';
  tokens: number;
  limit: number;
  reviews: number;
  /** Counted, and how long ago the last stop was, in ticks; whether the clock stands still since then. */
  time: number;
  ago: number;
  still: boolean;
  /** Read up to here, and written up to here: what is between is still to be counted. */
  place: number;
  written: number;
  /** What really was used while the run went on, and how long it really went on; the last holds since the last grant. */
  used: number;
  worked: number;
  lastHolds: number;
  /** The agent was let go at the last stop, and nobody works. After a hook that died nobody knows, and time counts. */
  rests: boolean;
  /** Reviews that really ended. */
  ended: number;
  over: boolean;
};

export type Facts = {
  /** `over`: the agent is done, and the stop is allowed whatever the budget says. */
  step: 'over' | 'allow' | 'waits' | 'hold' | 'review';
  uses: 0 | 1;
  /** The hook dies after it has counted, or another hook counts at the same time. */
  disturbed: 'no' | 'dies' | 'twice';
};

export type Answer = 'allow' | 'hold' | 'last-hold' | 'pause' | 'died';

export type Context = { from: Node; facts: Facts; answer: Answer; asked: BudgetAnswer | null; to: Node };

const TICK = 60_000;
const NOW = 1_000_000 * TICK;
export const MOST = 3;
const REVIEWS = 1;

const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, index) => index);

const START: Node = {
  ...{ stage: 'open', due: 'hold', tokens: 0, limit: 1, reviews: 0, time: 0, ago: 0, still: false },
  ...{ place: 0, written: 0, used: 0, worked: 0, lastHolds: 0, rests: false, ended: 0, over: false },
};

export function budgetModel(rules: Rules = RULES, checked = invariants): Model<Node> {
  const lazy = new LazyFacts<Node, Facts>({
    step: () => ['over', 'allow', 'waits', 'hold', 'review'],
    uses: ({ written }) => (written < MOST ? [0, 1] : [0]),
    disturbed: () => ['no', 'dies', 'twice'],
  });
  const check = checker(checked);
  return {
    name: 'budget',
    space: new Space<Node>({
      stage: ['open', 'last-hold', 'paused'],
      due: ['hold', 'review'],
      ...{ tokens: upTo(2 * MOST), limit: upTo(MOST), reviews: upTo(2 * MOST), ended: upTo(2 * MOST) },
      ...{ time: upTo(3 * MOST), ago: upTo(MOST), still: [false, true] },
      ...{ place: upTo(MOST), written: upTo(MOST), used: upTo(MOST), worked: upTo(3 * MOST) },
      ...{ lastHolds: upTo(3), rests: [false, true], over: [false, true] },
    }),
    starts: [{ label: 'a run with a budget', node: START }],
    editable: () => [],
    expand(from, each) {
      if (from.over) return;
      if (from.ago < 1 && from.worked < MOST) each(tick(from));
      if (from.limit < MOST) each(grant(from, rules));
      lazy.each(from, (facts) => {
        const stopped = stop(from, facts, rules);
        each({
          by: 'stop',
          what: () => JSON.stringify(lazy.read()),
          to: stopped.to,
          answer: stopped.answer === 'hold' || stopped.answer === 'last-hold' ? 'hold' : 'allow',
          about: stopped.answer,
          combinations: lazy.combinations(),
          broken: check({ from, facts, ...stopped }),
        });
      });
    },
  };
}

type Stopped = Pick<Context, 'answer' | 'asked' | 'to'>;

function stop(from: Node, facts: Facts, rules: Rules): Stopped {
  const isPaused = from.stage === 'paused';
  const written = from.written + facts.uses;
  // What a paused run's session uses is not the run's.
  const used = from.used + (isPaused ? 0 : facts.uses);
  const real = { ...from, written, used, rests: false };
  const budget = budgetOf(from);
  const counted = count(budget, real, facts, rules);
  if (facts.disturbed === 'dies') return { answer: 'died', asked: null, to: nodeOf(counted, real) };
  const { step } = facts;
  const still = { for: 'limit', since: NOW, until: null } as const;
  if (step === 'over' || step === 'allow' || step === 'waits') {
    const next = rules.answered(counted, { kind: 'allowed', still });
    return {
      answer: 'allow',
      asked: null,
      to: { ...nodeOf(next, real), rests: true, over: step === 'over' },
    };
  }
  const asked = rules.budgetAt({ ...counted, due: step });
  switch (asked) {
    case 'stays-paused':
      return { answer: 'allow', asked, to: nodeOf(counted, real) };
    case 'pause':
      return {
        answer: 'pause',
        asked,
        to: nodeOf(rules.answered(counted, { kind: 'paused', now: NOW }), real),
      };
    case 'last-hold': {
      const next = rules.answered(counted, { kind: 'last-hold', due: step });
      return { answer: 'last-hold', asked, to: nodeOf(next, { ...real, lastHolds: from.lastHolds + 1 }) };
    }
    case 'goes-on': {
      const held = rules.answered(counted, { kind: 'held', review: null });
      if (step === 'hold') return { answer: 'hold', asked, to: nodeOf(held, real) };
      // The review runs in this stop; whoever comes twice finds the same one.
      const review: CountedReview = { key: `r${from.ended}`, counts: true, tokens: 0, cacheRead: 0, usd: 0 };
      const once = withReview(held, review);
      const next = facts.disturbed === 'twice' ? withReview(once, review) : once;
      return { answer: 'hold', asked, to: nodeOf(next, { ...real, ended: from.ended + 1 }) };
    }
  }
}

/** Both of two hooks read from the same place; the second finds that the first was there. */
function count(budget: Budget, real: Node, { disturbed }: Facts, rules: Rules): Budget {
  const { meter } = budget;
  const unread = real.written - real.place;
  const isPaused = budget.stage === 'paused';
  const place = (offset: number) => ({ file: { inode: 1, offset, at: 0, total: null } });
  const usage = isPaused
    ? null
    : {
        before: meter,
        after: { ...meter, files: place(real.written) },
        used: { tokens: unread - pausedIn(budget, real), cacheRead: 0 },
      };
  const once = rules.metered(budget, { now: NOW, usage, review: null });
  return disturbed === 'twice' ? rules.metered(once, { now: NOW, usage, review: null }) : once;
}

/** What was written while the run was paused, of what is unread: all that was, since paused stops read nothing. */
function pausedIn({ meter }: Budget, real: Node): number {
  return meter.pauses.length === 0 ? 0 : real.written - real.place - (real.used - real.tokens);
}

/** A person grants one more. */
function grant(from: Node, rules: Rules): Edge<Node> {
  const next = rules.raised(budgetOf(from), { tokens: 1, reviews: 1 }, NOW);
  const isBack = next.stage === 'open';
  const isPaused = from.stage === 'paused';
  const to = nodeOf(next, {
    ...from,
    lastHolds: isBack ? 0 : from.lastHolds,
    rests: isBack && isPaused ? false : from.rests,
  });
  return edge('command', 'a person grants more', to);
}

function tick(from: Node): Edge<Node> {
  const isWorking = from.stage !== 'paused' && !from.rests;
  return edge('time', 'a minute', {
    ...from,
    ago: from.ago + 1,
    worked: from.worked + (isWorking ? 1 : 0),
  });
}

function edge(by: 'command' | 'time', what: string, to: Node): Edge<Node> {
  return { by, what: () => what, to, answer: null, about: what, combinations: 1, broken: null };
}

function budgetOf(node: Node): Budget {
  const limits = { tokens: node.limit, timeMs: null, reviews: REVIEWS + node.limit - 1, usd: null };
  const at = NOW - node.ago * TICK;
  const fresh = newBudget('/root', 'a:b', limits, at, at);
  return {
    ...fresh,
    stage: node.stage,
    due: node.due,
    pausedAt: node.stage === 'paused' ? at : null,
    spent: { ...fresh.spent, tokens: node.tokens, timeMs: node.time * TICK, reviews: node.reviews },
    clock: { at, still: node.still ? { for: 'limit', since: at, until: null } : null },
    meter: {
      ...fresh.meter,
      files: { file: { inode: 1, offset: node.place, at: 0, total: null } },
      // Something was written in a pause, and is still to be passed over.
      pauses: node.written - node.place > node.used - node.tokens ? [{ from: 0, to: at }] : [],
    },
    reviewed: Array.from({ length: node.reviews }, (_, index) => `r${index}`),
  };
}

function nodeOf(budget: Budget, real: Node): Node {
  return {
    ...real,
    stage: budget.stage,
    due: budget.due,
    tokens: Math.min(budget.spent.tokens, 2 * MOST),
    limit: Math.min(budget.limits.tokens ?? 0, MOST),
    reviews: Math.min(budget.spent.reviews, 2 * MOST),
    time: Math.min(Math.round(budget.spent.timeMs / TICK), 3 * MOST),
    ago: (NOW - budget.clock.at) / TICK,
    still: budget.clock.still !== null,
    place: budget.meter.files.file?.offset ?? 0,
    lastHolds: Math.min(real.lastHolds, 3),
  };
}
