// Leaving a review's cycle (pure): passed by two clean reviews in a row, or skipped because reviews are off.
// It is always a user's stop: nothing is held, and continue-plan goes on from what is written here.

import type { Message, Step } from '../../engine/step.ts';
import { pairOf } from '../../reviewers/pair.ts';
import { type Phase, type Review, reviewTitle } from './phases.ts';
import { tableWarning } from './table-warning.ts';
import type { Change, Facts, KnownState, PendingFacts } from './types.ts';

export type WayOut =
  | {
      kind: 'passed';
      number: number;
      model: string;
      /** The reviewer, where it listed findings. */
      by?: string;
      /** All that it listed lies below this. */
      floor?: string;
    }
  | { kind: 'skipped' };

/** `state` is the coming one: its iteration and clean count already include the review that passed. */
export function leaveReview(review: Review, state: KnownState, facts: Facts, way: WayOut): Step<Change> {
  if (review === 'code-review' && facts.pending === null) return { kind: 'look', at: 'pending' };
  const next = targetOf(review, state, facts.pending);
  const change = { ...written(review, state, way), next };
  // The reviews of all code are a cycle of their own, and every cycle begins with the first of the pair.
  const fresh = next === 'all-code-review' ? { iteration: 0, model: pairOf(facts)[0], clean: 0 } : {};
  return {
    kind: 'allow',
    change: { ...change, ...fresh },
    notice: withWarning(noticeOf(review, state, facts, way), facts),
    suppressOutput: true,
  };
}

function targetOf(review: Review, state: KnownState, pending: PendingFacts | null): Phase {
  const implementation = state.tdd ? 'complete-task-tdd' : 'complete-task';
  switch (review) {
    case 'plan-review':
      return 'create-tasks';
    case 'tasks-review':
      return implementation;
    case 'code-review':
      return pending?.others === true ? implementation : 'all-code-review';
    case 'all-code-review':
      return 'complete';
  }
}

function written(review: Review, state: KnownState, way: WayOut): Omit<Change, 'next'> {
  const { model, clean } = state;
  if (way.kind === 'skipped') return { phase: review, iteration: 0, model, clean, review: null };
  const iteration = state.iteration ?? 1;
  return {
    phase: review,
    iteration,
    model: way.model,
    clean,
    review: {
      ...{ kind: review, task: state.currentTask, iteration, number: way.number },
      ...(way.by === undefined ? {} : { by: way.by }),
    },
  };
}

function noticeOf(review: Review, state: KnownState, { plan, pending }: Facts, way: WayOut): Message {
  const title = reviewTitle(review, state.currentTask);
  if (way.kind === 'skipped') return { name: 'reviews-off', slots: { plan, title } };
  const floor = way.floor === undefined ? {} : { floor: way.floor };
  if (review !== 'code-review' || pending?.current !== true)
    return { name: 'passed', slots: { plan, title, ...floor } };
  return { name: 'passed-row-pending', slots: { plan, title, task: state.currentTask ?? '', ...floor } };
}

/** Where to go on depends on the rows of tasks.md, so those that were not understood are named with it. */
function withWarning(notice: Message, { plan, tasks }: Facts): Message {
  const warning = tableWarning(plan, tasks);
  if (warning === null) return notice;
  const all = [warning.name, warning.slots.warning].filter((name) => name !== undefined).join(' ');
  return { name: notice.name, slots: { ...notice.slots, ...warning.slots, warning: all } };
}
