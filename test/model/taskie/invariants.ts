// What must hold at every stop of a plan, whoever brought it into its state.

import type { Step } from '../../../src/engine/step.ts';
import { type Invariants, unless } from '../../../src/explorer/invariant.ts';
import { REVIEWS, type Review } from '../../../src/workflows/taskie/phases.ts';
import type { Change } from '../../../src/workflows/taskie/types.ts';
import type { Given, Node } from './domains.ts';

export type Context = { from: Node; facts: Given; step: Step<Change>; to: Node };

export const invariants: Invariants<Context> = {
  'a hold needs a review that is due or owed an answer, or a broken folder': ({ from, facts, step }) => {
    if (step.kind !== 'hold') return null;
    if (step.message.name === 'violations') return unless(facts.violations.length > 0, 'nothing is broken');
    if (step.message.name === 'checks-refused')
      return unless(facts.proof?.claim === 'refused' && isOfCode(from), 'no claim was refused');
    if (!step.message.name.startsWith('hold-')) return `held by ${step.message.name}`;
    return unless(dueIn(from) !== null || owedIn(from) !== null, `held with next_phase ${from.next}`);
  },
  'either way out lets go at once: no next phase, or no reviews': ({ from, facts, step }) => {
    // A plan that is complete asks what was proven of it; nothing is run for that.
    const atEnd = step.kind === 'prove' && step.receiptsOnly === true ? ['prove'] : [];
    const out = from.next === null ? ['allow', ...atEnd] : from.maxReviews === 0 ? ['allow', 'look'] : null;
    if (from.kind !== 'known' || out === null || out.includes(step.kind)) return null;
    return unless(facts.violations.length > 0, `answered ${step.kind}`);
  },
  'a stop moves nothing where no review is due': ({ from, facts, to }) => {
    if (same(from, to) || dueIn(from) !== null) return null;
    if (owedIn(from) === null) return `next_phase was ${from.next}`;
    return unless(facts.verdict !== null || facts.review?.answered === true, 'the answer was not there');
  },
  'a state that is no state is never written': ({ from, to }) =>
    unless(from.kind === 'known' || same(from, to), 'it was changed'),
  'nothing moves without a verdict, unless reviews are off': ({ from, facts, to }) => {
    if (same(from, to) || from.maxReviews === 0) return null;
    return unless(facts.verdict === 'clean' || facts.verdict === 'findings', `on verdict ${facts.verdict}`);
  },
  'only a clean verdict counts as clean': ({ from, facts, to }) => {
    if (to.clean <= from.clean) return null;
    const isClean = facts.verdict === 'clean' || isCleanByFloor(from, facts);
    return unless(isClean && to.clean === from.clean + 1, `${facts.verdict}: ${to.clean}`);
  },
  'the floor lifts only a review that listed findings, all of them below it, and late enough': ({
    from,
    facts,
    to,
  }) => {
    if (same(from, to) || facts.verdict !== 'findings' || from.maxReviews === 0) return null;
    const isFresh = to.next === 'all-code-review';
    return unless(isFresh || to.clean > 0 === isCleanByFloor(from, facts), `clean ${to.clean}`);
  },
  'a review that is clean by the floor alone is called so': ({ from, facts, step, to }) => {
    if (same(from, to) || (step.kind !== 'hold' && step.kind !== 'allow')) return null;
    const said = step.kind === 'hold' ? step.message.slots.floor : step.notice?.slots.floor;
    const isByFloor = facts.verdict === 'findings' && from.maxReviews > 0 && isCleanByFloor(from, facts);
    return unless(said === (isByFloor ? facts.floor?.severity : undefined), `said ${said}`);
  },
  'findings end the row of clean reviews and hold': ({ from, facts, step, to }) => {
    if (same(from, to) || facts.verdict !== 'findings' || from.maxReviews === 0) return null;
    if (isCleanByFloor(from, facts)) return null;
    return unless(to.clean === 0 && step.kind === 'hold', `clean ${to.clean}, ${step.kind}`);
  },
  'every counted review is one iteration, never above the limit': ({ from, to }) => {
    if (same(from, to) || from.maxReviews === 0) return null;
    if (to.next === 'all-code-review') return unless(to.iteration === 0, `a fresh cycle at ${to.iteration}`);
    if (to.iteration !== (from.iteration ?? 0) + 1) return `from ${from.iteration} to ${to.iteration}`;
    // Lowered by hand while it ran: that review still counts.
    const most = from.streakOf === 'untold' ? to.maxReviews + 1 : to.maxReviews;
    return unless(to.iteration <= most, `${to.iteration} of ${to.maxReviews}`);
  },
  'a stage is passed only by two clean reviews in a row': ({ from, facts, step, to }) => {
    const passed = step.kind === 'allow' && step.change !== null && from.maxReviews > 0;
    if (!passed) return null;
    const isClean = facts.verdict === 'clean' || isCleanByFloor(from, facts);
    if (!isClean || from.clean < 1) return `${facts.verdict} after ${from.clean} clean`;
    const review = reviewAt(from);
    return unless(from.streakOf === 'untold' || to.streak >= 2, `one clean ${review} was enough`);
  },
  'what reads as clean was reviewed clean': ({ to }) =>
    unless(to.streakOf === 'untold' || to.clean <= to.streak, `clean ${to.clean}, in truth ${to.streak}`),
  'a review that is passed over is never called passed': ({ from, step }) => {
    if (step.kind !== 'allow' || step.change === null) return null;
    const said = step.notice?.name;
    return unless((said === 'reviews-off') === (from.maxReviews === 0), `said ${said}`);
  },
  'the pair takes turns, and every cycle starts with its first': ({ from, facts, to }) => {
    if (same(from, to) || from.maxReviews === 0) return null;
    const fresh = to.next === 'all-code-review';
    if (!fresh && facts.reviewModel !== from.model) return null;
    const [first, second] = facts.reviewers?.pair ?? ['opus', 'sonnet'];
    const wanted = fresh || from.model !== first ? first : second;
    return unless(to.model === wanted, `from ${from.model} to ${to.model}`);
  },
  'a model that was put there while another reviewed stays': ({ from, facts, to }) => {
    if (same(from, to) || from.maxReviews === 0 || to.next === 'all-code-review') return null;
    if (facts.reviewModel === undefined || facts.reviewModel === from.model) return null;
    return unless(to.model === from.model, `from ${from.model} to ${to.model}`);
  },
  'no reviewer is started when reviews are off, used up or failing': ({ from, facts, step }) => {
    if (step.kind !== 'review') return null;
    if (facts.verdict !== null) return 'a verdict was there';
    if (facts.failedReviews >= 3) return `after ${facts.failedReviews} failures`;
    return unless(
      (from.iteration ?? 0) + 1 <= from.maxReviews,
      `iteration ${from.iteration} of ${from.maxReviews}`,
    );
  },
  'no program reviews but Claude Code, the user’s choice, and whoever stands in': ({ from, facts, step }) => {
    if (step.kind !== 'review') return null;
    const { reviewer, model } = step.review;
    const { pair = ['opus', 'sonnet'], standIn = null } = facts.reviewers ?? {};
    const isUsual = from.model === 'opus' || from.model === 'sonnet';
    if (standIn !== null && isUsual)
      return unless(reviewer === standIn && model === '', `${reviewer} with ${model || 'its default'}`);
    if (!from.model.includes('/')) return unless(reviewer === 'claude', `${from.model} by ${reviewer}`);
    return unless(pair.includes(from.model) && reviewer === 'codex' && model === '', `${from.model} was run`);
  },
  'no reviewer is paid for code that the checks refuse': ({ from, facts, step }) => {
    if (step.kind !== 'review' || !isOfCode(from)) return null;
    return unless(
      facts.proof?.claim === 'stands',
      `on ${facts.proof?.claim ?? 'a claim that nobody asked about'}`,
    );
  },
  'the checks run for a review of code that would follow, and for nothing else': ({ from, facts, step }) => {
    if (step.kind !== 'prove') return null;
    if (facts.proof !== null || step.only !== undefined) return 'it was asked already';
    if (step.receiptsOnly) return unless(from.phase === 'complete' && from.next === null, 'not complete');
    if (facts.verdict !== null || facts.failedReviews >= 3) return 'no review would follow';
    if ((from.iteration ?? 0) + 1 > from.maxReviews) return 'the reviews are used up';
    return unless(isOfCode(from), `for ${reviewAt(from)}`);
  },
  'a claim that is refused moves nothing, and holds no person': ({ from, facts, step, to }) => {
    if (step.kind !== 'hold' || step.message.name !== 'checks-refused') return null;
    return unless(same(from, to) && !facts.handFired, 'it did');
  },
  'a plan is called completed only where checks were asked for': ({ from, facts, step }) => {
    if (step.kind !== 'allow' || !step.completed) return null;
    if (from.phase !== 'complete' || from.next !== null) return `in ${from.phase}`;
    return unless(facts.proof !== null && facts.proof.worth !== 'unasked', 'nobody asked');
  },
  'a reviewer is started only for something to review': ({ from, facts, step }) => {
    if (step.kind !== 'review') return null;
    switch (reviewAt(from)) {
      case 'plan-review':
        return unless(facts.planWritten, 'no plan.md');
      case 'code-review':
        return unless(from.currentTask !== null && facts.taskWritten, 'no task');
      case 'tasks-review':
      case 'all-code-review':
        return unless((facts.tasks?.ids.length ?? 0) > 0, 'no tasks');
      case null:
        return 'no review is due';
    }
  },
  'the review that is asked for is the one that is due': ({ from, facts, step }) => {
    if (step.kind !== 'review') return null;
    if (dueIn(from) === null && facts.review?.answered !== true) return 'before the last was answered';
    const { kind, number, model, file, named = model } = step.review;
    if (kind !== reviewAt(from) || named !== from.model) return `${kind} by ${named}`;
    return unless(number === facts.nextNumber && file.endsWith(`-review-${number}.md`), file);
  },
  'the agent is told the real number of the review': ({ from, facts, step, to }) => {
    if (step.kind !== 'hold' || !step.message.name.startsWith('hold-')) return null;
    const number = same(from, to) ? facts.review?.number : facts.reviewNumber;
    const { review, post } = step.message.slots;
    if (!String(review).endsWith(`-review-${number}.md`)) return `named ${review}`;
    return unless(String(post).endsWith(`-post-review-${number}.md`), `named ${post}`);
  },
  'an answer that is owed holds the session again, and a hand-fired stop never': ({
    from,
    facts,
    step,
    to,
  }) => {
    if (owedIn(from) === null || facts.verdict !== null) return null;
    if (facts.review === null || facts.review.answered) return null;
    if (!same(from, to)) return 'the state moved';
    // Reviews that a person turned off want no answer either.
    if (facts.handFired || from.maxReviews === 0)
      return unless(step.kind === 'allow' || facts.violations.length > 0, 'held by hand');
    return unless(step.kind === 'hold' && step.message.name.startsWith('hold-'), `answered ${step.kind}`);
  },
  'a broken folder is not let through as sound': ({ facts, step }) => {
    if (step.kind !== 'allow' || !String(step.notice?.name).startsWith('validated')) return null;
    return unless(facts.violations.length === 0, 'called valid');
  },
  'what the hook changes brings the end nearer': ({ from, to }) =>
    unless(same(from, to) || measure(to) < measure(from), `${measure(from)} to ${measure(to)}`),
  'a look is for a fact that is not there yet': ({ facts, step }) => {
    if (step.kind !== 'look') return null;
    const missing = step.at === 'tasks' ? facts.tasks : facts.pending;
    return unless(missing === null, `looked at ${step.at}`);
  },
  'a plan is never given up as over by a stop': ({ step }) =>
    unless(step.kind !== 'allow' || step.over === undefined, 'over'),
};

/** Said once more, finding by finding: it listed some, and each is lighter than the floor. */
export function isCleanByFloor({ iteration }: Node, facts: Given): boolean {
  // One by one: what is not asked for is not gone through.
  if (facts.verdict !== 'findings' || !facts.floor || !facts.listed) return false;
  const { listed, floor } = facts;
  const weights = { low: 1, medium: 2, high: 3 };
  const found = (['low', 'medium', 'high'] as const).filter((severity) => listed[severity] > 0);
  const isLate = (iteration ?? 0) + 1 >= floor.from;
  return isLate && found.length > 0 && found.every((each) => weights[each] < weights[floor.severity]);
}

/** The review a stop would run. */
export function dueIn({ kind, next }: Node): Review | null {
  return kind === 'known' ? (REVIEWS.find((review) => review === next) ?? null) : null;
}

/** The review the agent is to answer. */
export function owedIn({ kind, phase, next }: Node): Review | null {
  if (kind !== 'known') return null;
  return REVIEWS.find((review) => phase === review && next === `post-${review}`) ?? null;
}

const reviewAt = (node: Node): Review | null => dueIn(node) ?? owedIn(node);

const isOfCode = (node: Node): boolean => {
  const review = reviewAt(node);
  return review === 'code-review' || review === 'all-code-review';
};

/** Cycles to go, then reviews to go. Outside a cycle the hook has nothing to do. */
function measure(node: Node): number {
  const review = reviewAt(node);
  if (review === null) return 0;
  return (REVIEWS.length - REVIEWS.indexOf(review)) * 100 + node.maxReviews - (node.iteration ?? 0);
}

export function same(from: Node, to: Node): boolean {
  return (
    from.phase === to.phase &&
    from.next === to.next &&
    from.iteration === to.iteration &&
    from.clean === to.clean &&
    from.model === to.model
  );
}
