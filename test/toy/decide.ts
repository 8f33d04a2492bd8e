// The toy workflow's decision: every kind of step the engine knows, in a few lines.

import type { ReviewOutcome, Step } from '../../src/engine/step.ts';

export type ToyState = { phase: string; left: number; reviews: number };

export type ToyFacts = {
  finished: 'yes' | 'no' | 'unread';
  signalKept: boolean;
  waiting: boolean;
  note: string;
};

export type ToyChange = { phase: string; left: number; reviews: number };

export function decide(state: ToyState, facts: ToyFacts & ReviewOutcome): Step<ToyChange> {
  switch (state.phase) {
    case 'working':
      return work(state, facts);
    case 'reviewing':
      return review(state, facts);
    default:
      return { kind: 'allow', change: null, notice: null, over: 'completed' };
  }
}

function work(state: ToyState, facts: ToyFacts): Step<ToyChange> {
  if (facts.waiting) return { kind: 'allow', change: null, notice: null, quiet: true };
  if (facts.finished === 'unread') return { kind: 'look', at: 'last message' };
  if (facts.finished === 'yes' || facts.signalKept) return done(state, 'finished');
  if (state.left <= 0) return { kind: 'allow', change: null, notice: { name: 'exhausted', slots: {} } };
  const change = { ...state, left: state.left - 1 };
  return { kind: 'hold', change, message: { name: 'go-on', slots: { left: change.left } }, notice: null };
}

function review(state: ToyState, facts: ReviewOutcome): Step<ToyChange> {
  const number = state.reviews + 1;
  const file = `.toy/review-${number}.md`;
  switch (facts.verdict) {
    case null:
      if (facts.failedReviews >= 3)
        return { kind: 'allow', change: null, notice: { name: 'gave-up', slots: {} } };
      return { kind: 'review', review: { reviewer: 'toy', kind: 'toy-review', number, file, model: 'opus' } };
    case 'clean':
      return done({ ...state, reviews: number }, 'clean');
    case 'findings':
      return {
        kind: 'hold',
        change: { phase: 'working', left: 50, reviews: number },
        message: { name: 'fix', slots: { file } },
        notice: null,
      };
    case 'none':
    case 'failed':
      return { kind: 'allow', change: null, notice: { name: 'no-verdict', slots: { file } } };
  }
}

function done(state: ToyState, name: string): Step<ToyChange> {
  return {
    kind: 'allow',
    change: { ...state, phase: 'done' },
    notice: { name, slots: {} },
    over: 'completed',
  };
}
