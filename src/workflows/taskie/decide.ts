// What to do at a stop of a plan's session (pure). A review that is due comes first; then an answer that is
// still owed to one; then the folder's structure. A review of code is due when the agent says that the code is done: that
// is a claim, and no reviewer is paid for what the checks refuse. The engine's guard bounds every hold asked for here.

import type { EngineFacts, Message, Step } from '../../engine/step.ts';
import type { NamedReviewer } from '../../reviewers/names.ts';
import { modelAfter, pairOf, reviewerOf, standInFor } from '../../reviewers/pair.ts';
import { CLAUDE } from '../../reviewers/programs.ts';
import { isBelowFloor } from './floor.ts';
import { leaveReview } from './leave-review.ts';
import { logFile, planFolder, postReviewFile, reviewFile, taskFile } from './names.ts';
import { asReview, postOf, type Review, reviewAnsweredBy, reviewTitle } from './phases.ts';
import { tableWarning } from './table-warning.ts';
import type { Change, Facts, KnownState, State } from './types.ts';

export const MOST_FAILURES = 3;
/** So often in a row the agent is held for a red check before a review; then the reviewer looks at it, too. */
const MOST_REFUSALS = 3;

type Known = Facts & EngineFacts;

export function decide(state: State, facts: Known): Step<Change> {
  if (state.kind !== 'known') return checkStructure(state, facts, null);
  const owed = reviewToAnswer(state);
  if (owed !== null && !isAnswered(facts)) return waitForAnswer(owed, state, facts);
  const due = owed ?? asReview(state.next);
  if (due !== null) return reviewNow(due, state, facts);
  const isComplete = state.phase === 'complete' && state.next === null;
  return isComplete ? completed(state, facts) : checkStructure(state, facts, null);
}

/** Nothing is run any more: what the last claim was worth, is it so still? Violations come first, as everywhere. */
function completed(state: KnownState, facts: Known): Step<Change> {
  const step = checkStructure(state, facts, null);
  if (step.kind !== 'allow') return step;
  if (facts.proof === null) return { kind: 'prove', receiptsOnly: true };
  return facts.proof.worth === 'unasked' ? step : { ...step, completed: true };
}

/** Phase X with post-X next: the agent owes an answer to a review, or has given it and forgot to say so. */
function reviewToAnswer(state: KnownState): Review | null {
  const review = reviewAnsweredBy(state.next);
  return review !== null && state.phase === review ? review : null;
}

/** A verdict in this very state means that the next review was asked for: the answer was there. */
function isAnswered(facts: Known): boolean {
  return facts.verdict !== null || facts.review?.answered === true;
}

function waitForAnswer(review: Review, state: KnownState, facts: Known): Step<Change> {
  const { plan } = facts;
  if (facts.review === null)
    return checkStructure(state, facts, { name: 'review-missing', slots: { plan, action: postOf(review) } });
  const { number } = facts.review;
  // Reviews turned off by hand are turned off for the answers to them too.
  if (!facts.handFired && state.maxReviews > 0)
    return { kind: 'hold', change: null, message: holdMessage(review, state, facts, number), notice: null };
  const slots = { plan, action: postOf(review), review: reviewFile(review, state.currentTask, number) };
  return checkStructure(state, facts, { name: 'outstanding', slots });
}

function reviewNow(review: Review, state: KnownState, facts: Known): Step<Change> {
  if (state.maxReviews === 0) return leaveReview(review, state, facts, { kind: 'skipped' });
  const iteration = (state.iteration ?? 0) + 1;
  // A review that ran is paid for and counts, even if the limit was lowered meanwhile; the next one meets it.
  if (facts.verdict === null && iteration > state.maxReviews) {
    const slots = { max: state.maxReviews, review };
    return checkStructure(state, facts, { name: 'limit-reached', slots });
  }
  switch (facts.verdict) {
    case null:
      return (
        refusedBefore(review, state, facts) ??
        whatIsMissing(review, state, facts) ??
        startReview(review, state, facts)
      );
    case 'none':
    case 'failed':
      return checkStructure(state, facts, failure(review, state, facts, facts.failedReviews + 1));
    case 'findings':
      if (isBelowFloor(facts, iteration)) return countClean(review, { ...state, iteration }, facts);
      return answerWanted(review, { ...state, iteration, clean: 0 }, facts);
    case 'clean':
      return countClean(review, { ...state, iteration }, facts);
  }
}

/** `state` has the review's own iteration already. */
function countClean(review: Review, state: KnownState, facts: Known): Step<Change> {
  const counted = { ...state, clean: state.clean + 1 };
  if (counted.clean < 2) return answerWanted(review, counted, facts);
  return leaveReview(review, counted, facts, {
    kind: 'passed',
    number: facts.reviewNumber ?? state.iteration ?? 1,
    model: modelAfter(state.model, facts.reviewModel, pairOf(facts)),
    ...byWhom(facts),
    ...floorSlot(counted, facts),
  });
}

/** Said where a review is clean by the floor alone. */
function floorSlot({ clean }: KnownState, facts: Known): { floor?: string } {
  return facts.verdict === 'findings' && clean > 0 && facts.floor ? { floor: facts.floor.severity } : {};
}

/** It counts as findings by its file alone. */
function unreadSlot({ verdict, noVerdict }: Known): { unread?: number } {
  return verdict === 'findings' && noVerdict !== undefined ? { unread: 1 } : {};
}

/** Wanted only where there are findings to be written down. */
function byWhom({ listed, reviewModel }: Known): { by?: string } {
  return listed && reviewModel !== undefined ? { by: reviewModel } : {};
}

/** Nothing to review yet: the stop is allowed with a warning, or the structure's own rule speaks. */
function whatIsMissing(review: Review, state: KnownState, facts: Known): Step<Change> | null {
  const { plan } = facts;
  switch (review) {
    case 'plan-review':
      return facts.planWritten ? null : checkStructure(state, facts, null);
    case 'code-review':
      if (state.currentTask === null) return allowWith({ name: 'no-current-task', slots: { plan } });
      if (facts.taskWritten) return null;
      return allowWith({ name: 'no-task-file', slots: { plan, file: taskFile(state.currentTask) } });
    case 'tasks-review':
    case 'all-code-review':
      if (facts.tasks === null) return { kind: 'look', at: 'tasks' };
      return facts.tasks.ids.length > 0 ? null : allowWith({ name: 'no-tasks', slots: { plan, review } });
  }
}

/** No check is run for a review that nobody here may do. */
function startReview(review: Review, state: KnownState, facts: Known): Step<Change> {
  const reviewer = reviewerOf(state.model, facts);
  if (reviewer !== null) return claimOf(review, state, facts) ?? askForReview(review, state, facts, reviewer);
  const title = reviewTitle(review, state.currentTask);
  const slots = { plan: facts.plan, title, model: state.model, pair: pairOf(facts).join(', ') };
  return checkStructure(state, facts, { name: 'reviewer-refused', slots });
}

/** The checks refused this very claim, and may have taken along what is missing now: what they said counts. */
function refusedBefore(review: Review, state: KnownState, facts: Known): Step<Change> | null {
  return facts.proof === null ? null : claimOf(review, state, facts);
}

/** Null: it stands, or nothing is claimed. Where no review would follow, no check is run for one. */
function claimOf(review: Review, state: KnownState, facts: Known): Step<Change> | null {
  const isOfCode = review === 'code-review' || review === 'all-code-review';
  if (!isOfCode || facts.failedReviews >= MOST_FAILURES) return null;
  if (facts.proof === null) return { kind: 'prove', standsAfter: MOST_REFUSALS };
  if (facts.proof.claim === 'stands') return null;
  const slots = { plan: facts.plan, title: reviewTitle(review, state.currentTask) };
  const message = { name: 'checks-refused', slots };
  // A person who fires the hook by hand is told, not held.
  if (facts.handFired) return checkStructure(state, facts, message);
  return { kind: 'hold', change: null, message, notice: null };
}

function askForReview(
  review: Review,
  state: KnownState,
  facts: Known,
  { program: reviewer, model }: NamedReviewer,
): Step<Change> {
  if (facts.failedReviews >= MOST_FAILURES)
    return checkStructure(state, facts, failure(review, state, facts, facts.failedReviews));
  const number = facts.nextNumber ?? (state.iteration ?? 0) + 1;
  const file = `${planFolder(facts.spelled ?? facts.plan)}/${reviewFile(review, state.currentTask, number)}`;
  const named = model === state.model ? {} : { named: state.model };
  return { kind: 'review', review: { reviewer, kind: review, number, file, model, ...named } };
}

/** Findings, or a first clean review: written down, and the agent is held to answer. `state` is the coming one. */
function answerWanted(review: Review, state: KnownState, facts: Known): Step<Change> {
  const iteration = state.iteration ?? 1;
  const number = facts.reviewNumber ?? iteration;
  const change: Change = {
    phase: review,
    next: postOf(review),
    iteration,
    model: modelAfter(state.model, facts.reviewModel, pairOf(facts)),
    clean: state.clean,
    review: { kind: review, task: state.currentTask, iteration, number, ...byWhom(facts) },
  };
  const { name, slots } = holdMessage(review, state, facts, number);
  return {
    kind: 'hold',
    change,
    message: { name, slots: { ...slots, ...floorSlot(state, facts), ...unreadSlot(facts) } },
    notice: tableWarning(facts.plan, facts.tasks),
  };
}

function holdMessage(review: Review, state: KnownState, facts: Known, number: number): Message {
  // Whoever is to answer a review should know that it is not who it was meant to be.
  const standIn = facts.verdict === null ? null : standInFor(facts.reviewModel ?? state.model, facts);
  const slots = {
    plan: facts.plan,
    iteration: state.iteration ?? number,
    max: state.maxReviews,
    clean: state.clean,
    review: reviewFile(review, state.currentTask, number),
    post: postReviewFile(review, state.currentTask, number),
    ...(standIn === null ? {} : { standIn }),
  };
  const task = state.currentTask ?? '';
  return { name: `hold-${review}`, slots: review === 'code-review' ? { ...slots, task } : slots };
}

function failure(review: Review, state: KnownState, facts: Known, failures: number): Message {
  const { plan } = facts;
  const title = reviewTitle(review, state.currentTask);
  const log = `${planFolder(facts.spelled ?? plan)}/${logFile(facts.reviewNumber ?? facts.nextNumber ?? 1)}`;
  const why = { ...whySlots(facts), ...programSlot(state, facts) };
  if (failures < MOST_FAILURES)
    return { name: 'review-failed', slots: { plan, title, log, failures, ...why } };
  return { name: 'review-given-up', slots: { plan, title, failures, ...why } };
}

/** As data: the words for it are the message's. Not there for a failure that an earlier version wrote down. */
function whySlots({ noVerdict }: Known): Message['slots'] {
  if (noVerdict === undefined) return {};
  const { kind: cause, code } = noVerdict;
  return code === null ? { cause } : { cause, code };
}

/** The program that had no verdict, where it is not the usual one. */
function programSlot(state: KnownState, facts: Known): Message['slots'] {
  const program = reviewerOf(facts.reviewModel ?? state.model, facts)?.program ?? CLAUDE;
  return program === CLAUDE ? {} : { reviewer: program };
}

/** Violations hold, whatever else there is to say; a sound folder is allowed. */
function checkStructure(state: State, facts: Facts, notice: Message | null): Step<Change> {
  const { plan, violations } = facts;
  if (violations.length > 0) {
    const message = { name: 'violations', slots: { plan, violations: violations.join('; ') } };
    return { kind: 'hold', change: null, message, notice };
  }
  return allowWith(notice ?? structureNotice(state, facts));
}

/** `seal` is not said: it makes the notice a new one whenever the folder's structure has changed. */
function structureNotice(state: State, { plan, folder }: Facts): Message {
  if (state.kind === 'broken') return { name: 'validated-state-broken', slots: { plan, seal: folder } };
  if (state.kind === 'known' && state.unsound.length > 0) {
    const fields = state.unsound.join(', ');
    return { name: 'validated-state-unsound', slots: { plan, fields, seal: folder } };
  }
  return { name: 'validated', slots: { plan, seal: folder } };
}

function allowWith(notice: Message): Step<Change> {
  return { kind: 'allow', change: null, notice, suppressOutput: true };
}
