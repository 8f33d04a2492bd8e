// Each of these is taskie with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { UNASKED } from '../../../src/engine/proof/asked.ts';
import type { Step } from '../../../src/engine/step.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { transition } from '../../../src/workflows/taskie/cli/transitions.ts';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import type { Change } from '../../../src/workflows/taskie/types.ts';
import { foundBy, walkNotices } from '../defect.ts';
import { taskieWalk, walkTaskie } from '../walker/taskie.ts';
import { invariants } from './invariants.ts';
import { type Decide, taskieEdits, taskieRuns } from './model.ts';
import { answering, hearing, seeing, writing } from './planting.ts';

const HOLD: Step<Change> = {
  kind: 'hold',
  change: null,
  message: { name: 'violations', slots: {} },
  notice: null,
};

const ADVANCE: Change = {
  phase: 'plan-review',
  next: 'create-tasks',
  iteration: 1,
  model: 'opus',
  clean: 0,
  review: null,
};

const reviewing = {
  reviewer: 'claude',
  kind: 'plan-review',
  number: 1,
  file: 'plan-review-1.md',
  model: 'opus',
};

const defects: Readonly<Record<string, [Decide, string]>> = {
  'a reviewer is started for code that the checks refuse': [
    hearing({ proof: ({ proof }) => (proof?.claim === 'refused' ? UNASKED : proof) }),
    'no reviewer is paid for code that the checks refuse',
  ],
  'a reviewer is started before the checks were asked': [
    hearing({ proof: ({ proof }) => proof ?? UNASKED }),
    'no reviewer is paid for code that the checks refuse',
  ],
  'a review of the plan waits for the checks of the code': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'review' && step.review.kind === 'plan-review' && facts.proof === null
        ? { kind: 'prove' }
        : step;
    },
    'the checks run for a review of code that would follow, and for nothing else',
  ],
  'a claim that is refused counts as a review': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'hold' || step.message.name !== 'checks-refused') return step;
      return { ...step, change: ADVANCE };
    },
    'a claim that is refused moves nothing, and holds no person',
  ],
  'every plan that is complete is called so': [
    answering((step, { phase, next }) =>
      step.kind === 'allow' && phase === 'complete' && next === null ? { ...step, completed: true } : step,
    ),
    'a plan is called completed only where checks were asked for',
  ],
  'a plan that wants nothing holds': [
    answering((step, { next }) => (next === null ? HOLD : step)),
    'a hold needs a review that is due or owed an answer, or a broken folder',
  ],
  'a folder that is sound is called broken': [
    answering((step, { next }) => (next === 'plan-review' && step.kind === 'allow' ? HOLD : step)),
    'a hold needs a review that is due or owed an answer, or a broken folder',
  ],
  'a plan without a next phase looks at its tasks first': [
    (state, facts) =>
      state.kind === 'known' && state.next === null && facts.tasks === null
        ? { kind: 'look', at: 'tasks' }
        : decide(state, facts),
    'either way out lets go at once: no next phase, or no reviews',
  ],
  'a review to answer holds although reviews are off': [
    seeing(({ maxReviews, phase, next }) =>
      maxReviews === 0 && next === `post-${phase}` ? { maxReviews: 2 } : {},
    ),
    'either way out lets go at once: no next phase, or no reviews',
  ],
  'the next review is run although the last is not there to be answered': [
    hearing({ review: ({ review }) => review ?? { number: 1, answered: true } }),
    'the review that is asked for is the one that is due',
  ],
  'a finished plan is moved on': [
    answering((step, { next }) =>
      next === 'complete' && step.kind === 'allow' ? { ...step, change: ADVANCE } : step,
    ),
    'a stop moves nothing where no review is due',
  ],
  'a review counts as answered before it is': [
    hearing({ review: ({ review }) => (review === null ? null : { ...review, answered: true }) }),
    'an answer that is owed holds the session again, and a hand-fired stop never',
  ],
  'a broken state.json is written over': [
    (state, facts) => {
      const step = decide(state, facts);
      return state.kind === 'broken' && step.kind === 'allow' ? { ...step, change: ADVANCE } : step;
    },
    'a state that is no state is never written',
  ],
  'a review without a verdict counts': [
    hearing({ verdict: ({ verdict }) => (verdict === 'none' ? 'findings' : verdict) }),
    'nothing moves without a verdict, unless reviews are off',
  ],
  'a review that failed counts as clean': [
    hearing({ verdict: ({ verdict }) => (verdict === 'failed' ? 'clean' : verdict) }),
    'only a clean verdict counts as clean',
  ],
  'findings do not end the row of clean reviews': [
    writing((_, { clean }, { verdict }) => (verdict === 'findings' ? { clean } : {})),
    'findings end the row of clean reviews and hold',
  ],
  'a FAIL without a list is lifted by the floor': [
    hearing({ listed: ({ listed }) => listed ?? { high: 0, medium: 0, low: 1 } }),
    'only a clean verdict counts as clean',
  ],
  'the floor lifts what lies on it': [
    hearing({ floor: ({ floor }) => floor && { ...floor, severity: 'high' } }),
    'only a clean verdict counts as clean',
  ],
  'the floor lifts before its round': [
    hearing({ floor: ({ floor }) => floor && { ...floor, from: 1 } }),
    'only a clean verdict counts as clean',
  ],
  'one review below the floor is enough': [
    seeing((state, facts) =>
      facts.verdict === 'findings' && facts.floor && facts.listed?.low
        ? { clean: 1 }
        : { clean: state.clean },
    ),
    'a stage is passed only by two clean reviews in a row',
  ],
  'nobody is told of the floor': [
    answering((step) => {
      if (step.kind !== 'hold') return step;
      const { floor: _, ...slots } = step.message.slots;
      return { ...step, message: { ...step.message, slots } };
    }),
    'a review that is clean by the floor alone is called so',
  ],
  'the floor lifts nothing': [
    hearing({ floor: () => null }),
    'the floor lifts only a review that listed findings, all of them below it, and late enough',
  ],
  'one review too many is asked for': [
    seeing(({ maxReviews }) => ({ maxReviews: maxReviews === 0 ? 0 : maxReviews + 1 })),
    'no reviewer is started when reviews are off, used up or failing',
  ],
  'a review is not counted': [
    writing((_, { iteration }) => ({ iteration: iteration ?? 0 })),
    'every counted review is one iteration, never above the limit',
  ],
  'the last cycle does not begin again': [
    writing((change) => (change.next === 'all-code-review' ? { iteration: 1 } : {})),
    'every counted review is one iteration, never above the limit',
  ],
  'one clean review is enough': [
    seeing(({ clean }) => ({ clean: clean + 1 })),
    'a stage is passed only by two clean reviews in a row',
  ],
  'findings after a clean review pass': [
    hearing({
      verdict: ({ verdict }, state) => (verdict === 'findings' && state?.clean === 1 ? 'clean' : verdict),
    }),
    'a stage is passed only by two clean reviews in a row',
  ],
  'a stage that was not reviewed reads as clean': [
    writing((_, { maxReviews }) => (maxReviews === 0 ? { clean: 2 } : {})),
    'what reads as clean was reviewed clean',
  ],
  'reviews that are off are called passed': [
    answering((step) =>
      step.notice?.name === 'reviews-off' ? { ...step, notice: { name: 'passed', slots: {} } } : step,
    ),
    'a review that is passed over is never called passed',
  ],
  'the same model reviews again': [
    writing((_, { model }) => ({ model })),
    'the pair takes turns, and every cycle starts with its first',
  ],
  'a model chosen while another reviewed is passed over': [
    writing((_, { model }) => ({ model: model === 'opus' ? 'sonnet' : 'opus' })),
    'a model that was put there while another reviewed stays',
  ],
  'the last cycle goes on with the model it finds': [
    writing((change) => (change.next === 'all-code-review' ? { model: 'sonnet' } : {})),
    'the pair takes turns, and every cycle starts with its first',
  ],
  'a reviewer is started although reviews are off': [
    (state, facts) =>
      state.kind === 'known' && state.maxReviews === 0 && state.next === 'plan-review'
        ? { kind: 'review', review: reviewing }
        : decide(state, facts),
    'no reviewer is started when reviews are off, used up or failing',
  ],
  'a reviewer that keeps failing is started for ever': [
    hearing({ failedReviews: () => 0 }),
    'no reviewer is started when reviews are off, used up or failing',
  ],
  'a review that ended is run again': [
    hearing({ verdict: ({ verdict }) => (verdict === 'none' ? null : verdict) }),
    'no reviewer is started when reviews are off, used up or failing',
  ],
  'a plan that is not there is reviewed': [
    hearing({ planWritten: () => true }),
    'a reviewer is started only for something to review',
  ],
  'a task that is not there is reviewed': [
    hearing({ taskWritten: () => true }),
    'a reviewer is started only for something to review',
  ],
  'a program that the repository names is run': [
    hearing({
      reviewers: ({ reviewers }, state) =>
        state?.model === 'codex/' ? { pair: ['opus', 'codex/'], standIn: null } : (reviewers ?? null),
    }),
    'no program reviews but Claude Code, the user’s choice, and whoever stands in',
  ],
  'a program that stands in is given the model of another': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'review' || step.review.reviewer !== 'codex') return step;
      return { ...step, review: { ...step.review, model: step.review.named ?? '' } };
    },
    'no program reviews but Claude Code, the user’s choice, and whoever stands in',
  ],
  'nobody stands in for a reviewer that is not installed': [
    hearing({ reviewers: () => null }),
    'no program reviews but Claude Code, the user’s choice, and whoever stands in',
  ],
  'the usual pair takes turns whatever the user chose': [
    writing((_, { model }, { reviewers, reviewModel }) =>
      reviewers?.pair.includes('codex/') && reviewModel === model
        ? { model: model === 'opus' ? 'sonnet' : 'opus' }
        : {},
    ),
    'the pair takes turns, and every cycle starts with its first',
  ],
  'the state forgets whom it named': [
    (state, facts) => {
      const step = decide(state, facts);
      if (step.kind !== 'review') return step;
      const { named: _, ...review } = step.review;
      return { ...step, review };
    },
    'the review that is asked for is the one that is due',
  ],
  'every review is asked of opus': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'review' ? { ...step, review: { ...step.review, model: 'opus' } } : step;
    },
    'the review that is asked for is the one that is due',
  ],
  'a review takes a number that is taken': [
    hearing({ nextNumber: (_, state) => (state?.iteration ?? 0) + 1 }),
    'the review that is asked for is the one that is due',
  ],
  'the agent is told the iteration for the number': [
    hearing({ reviewNumber: (_, state) => (state?.iteration ?? 0) + 1 }),
    'the agent is told the real number of the review',
  ],
  'a person who fires the hook is held': [
    hearing({ handFired: () => false }),
    'an answer that is owed holds the session again, and a hand-fired stop never',
  ],
  'an agent that pauses ends its loop': [
    hearing({ handFired: () => true }),
    'an answer that is owed holds the session again, and a hand-fired stop never',
  ],
  'a broken folder is called sound': [
    hearing({ violations: () => [] }),
    'a broken folder is not let through as sound',
  ],
  'an answered review is held again instead of reviewed': [
    writing((change, { iteration }) =>
      change.next.startsWith('post-') ? { iteration: iteration ?? 0 } : {},
    ),
    'what the hook changes brings the end nearer',
  ],
  'the task table is read again and again': [
    (state, facts) => {
      const step = decide(state, facts);
      return step.kind === 'review' && step.review.kind === 'tasks-review'
        ? { kind: 'look', at: 'tasks' }
        : step;
    },
    'a look is for a fact that is not there yet',
  ],
  'a plan that passed is forgotten': [
    answering((step) =>
      step.kind === 'allow' && step.notice?.name === 'passed'
        ? { ...step, over: 'completed' as const }
        : step,
    ),
    'a plan is never given up as over by a stop',
  ],
};

describe('a planted defect of taskie', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    const checked = only(invariants, invariant);
    expect(foundBy(taskieRuns(defective, checked)) ?? foundBy(taskieEdits(defective, checked))).toBe(
      invariant,
    );
  });

  it('is there for every invariant, so that each is known to be able to fail', () => {
    expect(new Set(Object.values(defects).map(([, invariant]) => invariant))).toEqual(
      new Set(Object.keys(invariants)),
    );
  });

  it('is found by the explorer: a new cycle begins with the clean count of the last', () => {
    const keeping: typeof transition = (...given) => {
      const made = transition(...given);
      if (made.kind !== 'change') return made;
      const { consecutive_clean: _, ...fields } = made.fields;
      return { kind: 'change', fields };
    };
    expect(foundBy(taskieRuns(decide, invariants, keeping))).toBe(
      'a stage is passed only by two clean reviews in a row',
    );
  });

  it('is found by the explorer: a clean plan review counts for the tasks review', () => {
    // As `record post-tasks-review` once was: it moved the loop of whichever review was under way.
    const moving: typeof transition = (action, task, state, held) => {
      const made = transition(action, task, state, held);
      if (made.kind !== 'refused' || action !== 'post-tasks-review') return made;
      return { kind: 'change', fields: { phase: action, next_phase: 'tasks-review' } };
    };
    expect(foundBy(taskieRuns(decide, invariants, moving))).toBe(
      'a stage is passed only by two clean reviews in a row',
    );
  });

  it('is found by the walker: after the last task the next one is looked for', () => {
    const defective = writing((change) =>
      change.next === 'all-code-review' ? { next: 'complete-task' } : {},
    );
    expect(walkNotices(taskieWalk, (walk) => walkTaskie(defective, walk))).toBe(true);
  });

  it('is found by the walker: tests first is forgotten between two tasks', () => {
    const defective = seeing(() => ({ tdd: false }));
    expect(walkNotices(taskieWalk, (walk) => walkTaskie(defective, walk))).toBe(true);
  });
});
