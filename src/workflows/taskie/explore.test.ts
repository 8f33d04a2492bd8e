// Walks every state a plan can reach, whatever the reviewers say, whatever the agent records and whatever a person
// edits, and checks at each of them what must always hold.

import { describe, expect, it } from 'vitest';
import type { ReviewOutcome, Step } from '../../engine/step.ts';
import { decide } from './decide.ts';
import type { Change, Facts, KnownState } from './model.ts';
import { asReview, postOf, reviewAnsweredBy } from './phases.ts';
import type { StateFields } from './state.ts';
import { ACTIONS, needsTask, transition } from './transitions.ts';

const MAX = 2;

const begin: KnownState = {
  kind: 'known',
  maxReviews: MAX,
  currentTask: null,
  phase: 'new-plan',
  iteration: 0,
  next: 'plan-review',
  model: 'opus',
  clean: 0,
  tdd: false,
  unsound: [],
};

const verdicts = ['clean', 'findings', 'none', 'failed'] as const;

type Seen = { state: KnownState; facts: Facts & ReviewOutcome; step: Step<Change> };

describe('every reachable state of a plan of two tasks', () => {
  const { states, seen } = explore();

  it('is explored to the end, with many stops at each', () => {
    expect(states.size).toBeGreaterThan(1000);
    expect(seen.length).toBeGreaterThan(states.size * 20);
  });

  it('never counts past the limit, and a clean count only grows by one', () => {
    const wrong = seen.filter(({ state, step }) => {
      if (!('change' in step) || step.change === null) return false;
      return step.change.iteration > MAX || step.change.clean > state.clean + 1;
    });
    expect(wrong).toEqual([]);
  });

  it('asks for a review only when one is next, or its answer is there, and the limit allows', () => {
    const wrong = seen.filter(({ state, facts, step }) => {
      if (step.kind !== 'review') return false;
      const due = asReview(state.next) ?? (facts.review?.answered ? reviewAnsweredBy(state.next) : null);
      return due !== step.review.kind || (state.iteration ?? 0) >= state.maxReviews;
    });
    expect(wrong).toEqual([]);
  });

  it('holds only for violations or for the answer to a review', () => {
    const wrong = seen.filter(({ facts, step }) => {
      if (step.kind !== 'hold') return false;
      return step.message.name === 'violations'
        ? facts.violations.length === 0
        : !step.message.name.startsWith('hold-');
    });
    expect(wrong).toEqual([]);
  });

  it('advances only after two clean reviews in a row, or with reviews off', { tags: ['T-exit-1'] }, () => {
    const wrong = seen.filter(({ state, facts, step }) => {
      if (step.kind !== 'allow' || step.change === null) return false;
      return state.maxReviews !== 0 && !(facts.verdict === 'clean' && state.clean >= 1);
    });
    expect(wrong).toEqual([]);
  });

  it('writes nothing without a verdict, unless reviews are off', () => {
    const wrong = seen.filter(
      ({ state, facts, step }) =>
        'change' in step &&
        step.change !== null &&
        state.maxReviews !== 0 &&
        facts.verdict !== 'clean' &&
        facts.verdict !== 'findings',
    );
    expect(wrong).toEqual([]);
  });

  it('lets go at once after either escape hatch, in a sound folder', () => {
    const sound = seen.filter(({ facts }) => facts.violations.length === 0);
    const left = sound.filter(({ state }) => state.next === null);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ step }) => step.kind !== 'allow')).toEqual([]);
    const off = sound.filter(({ state }) => state.maxReviews === 0);
    expect(off.length).toBeGreaterThan(0);
    expect(off.filter(({ step }) => step.kind !== 'allow' && step.kind !== 'look')).toEqual([]);
  });

  it('ends: with any verdicts at most max_reviews holds follow in one cycle', {
    tags: ['T-field-max_reviews', 'T-risk-4', 'T-risk-9'],
  }, () => {
    for (const review of ['plan-review', 'tasks-review', 'code-review', 'all-code-review'] as const)
      expect(longestLoop({ ...begin, next: review, currentTask: '1' })).toBeLessThanOrEqual(MAX);
  });
});

/** The most holds a cycle can answer when the agent always does its half. */
function longestLoop(state: KnownState): number {
  if (!mayBeReviewed(state)) return 0;
  const facts = { ...factsFor(state), reviewNumber: 1 };
  const holds = (['clean', 'findings'] as const).map((verdict) => {
    const step = decide(state, { ...facts, verdict });
    if (step.kind !== 'hold' || step.change === null) return 0;
    const held = apply(state, step.change);
    return 1 + longestLoop({ ...held, phase: postOf(step.change.phase), next: step.change.phase });
  });
  return Math.max(...holds);
}

function explore(): { states: Set<string>; seen: Seen[] } {
  const states = new Set<string>();
  const seen: Seen[] = [];
  const waiting: KnownState[] = [begin];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    const key = JSON.stringify(state);
    // A person who turns reviews off and on again could count clean ones for ever; nothing new comes of it.
    if (states.has(key) || state.clean > 3) continue;
    states.add(key);
    waiting.push(...recorded(state), ...edited(state));
    for (const facts of situations(state)) {
      const step = decide(state, facts);
      seen.push({ state, facts, step });
      if ('change' in step && step.change !== null) waiting.push(apply(state, step.change));
    }
  }
  return { states, seen };
}

function factsFor(state: KnownState): Facts & ReviewOutcome {
  return {
    plan: 'p',
    handFired: false,
    violations: [],
    folder: '',
    planWritten: true,
    taskWritten: state.currentTask !== null,
    review: null,
    nextNumber: (state.iteration ?? 0) + 1,
    tasks: { ids: ['1', '2'], leftOut: 0, plain: false },
    pending: { others: state.currentTask !== '2', current: false },
    verdict: null,
    failedReviews: 0,
  };
}

/** What a stop in this state can look like: any verdict, the answer there or not, by hand or in a session, … */
function situations(state: KnownState): (Facts & ReviewOutcome)[] {
  const base = factsFor(state);
  const reviews = [null, { number: 1, answered: false }, { number: 1, answered: true }];
  return [null, ...(mayBeReviewed(state) ? verdicts : [])].flatMap((verdict) =>
    reviews.flatMap((review) =>
      [[], ['Missing required file: plan.md']].flatMap((violations) =>
        [true, false].map((handFired) => ({
          ...base,
          verdict,
          ...(verdict === null ? {} : { reviewNumber: 1 }),
          review,
          violations,
          handFired,
        })),
      ),
    ),
  );
}

/** There is a verdict only where a review was asked for, and at the limit none is. */
function mayBeReviewed(state: KnownState): boolean {
  return state.maxReviews === 0 || (state.iteration ?? 0) < state.maxReviews;
}

function recorded(state: KnownState): KnownState[] {
  const files = ['plan.md', 'tasks.md', 'task-1.md', 'task-2.md', 'plan-review-1.md', 'tasks-review-1.md'];
  const held = {
    files: [...files, 'task-1-review-1.md', 'task-2-review-1.md', 'all-code-review-1.md'],
    rows: ['1', '2'],
    pending: [],
  };
  return ACTIONS.flatMap((action) =>
    (needsTask(action) ? ['1', '2'] : ['']).flatMap((task) => {
      const change = transition(action, task, state, held);
      return change.kind === 'change' ? [write(state, change.fields)] : [];
    }),
  );
}

/** The two escape hatches, and a person who turns them back. */
function edited(state: KnownState): KnownState[] {
  return [
    { ...state, next: null },
    { ...state, maxReviews: 0 },
    { ...state, maxReviews: MAX },
  ];
}

function apply(state: KnownState, { phase, next, iteration, model, clean }: Change): KnownState {
  return { ...state, phase, next, iteration, model, clean };
}

function write(state: KnownState, fields: Partial<StateFields>): KnownState {
  const take = <Field extends keyof StateFields, Old>(name: Field, old: Old): StateFields[Field] | Old => {
    const value = fields[name];
    return value === undefined ? old : value;
  };
  return {
    ...state,
    currentTask: take('current_task', state.currentTask),
    phase: take('phase', state.phase),
    iteration: take('phase_iteration', state.iteration),
    next: take('next_phase', state.next),
    model: take('review_model', state.model),
    clean: take('consecutive_clean', state.clean),
    tdd: take('tdd', state.tdd),
  };
}
