// What taskie keeps in a plan's sidecar: which file the review of the current iteration went to, and where the work began
// that a review of code is about. Outside data: it is checked before it is believed. Without the first the
// highest-numbered review is taken, without the second a reviewer is shown what is not committed.

import { asCommitId, type CommitId } from '../../engine/changes/head.ts';
import { isObject, type Json } from '../../store/json.ts';
import { isTaskId } from './names.ts';
import { asReview } from './phases.ts';
import type { Change, RememberedReview } from './types.ts';

export type Saved = { review: RememberedReview | null; began: Began };

/** The commit at which a task began, and the one at which the plan's first task did; null: nobody knows. */
export type Began = { task: CommitId | null; plan: CommitId | null };

export function readSaved(value: Json | undefined): Saved {
  if (!isObject(value)) return { review: null, began: UNKNOWN };
  return {
    review: readReview(value.review),
    began: isObject(value.began) ? readBegan(value.began) : UNKNOWN,
  };
}

const UNKNOWN: Began = { task: null, plan: null };

const readBegan = ({ task, plan }: Readonly<Record<string, unknown>>): Began => ({
  task: asCommitId(task),
  plan: asCommitId(plan),
});

/**
 * After a step. A task begins when the hook sends the agent to one, and at no other time: by then all before it is
 * reviewed, and nothing of it is done. Whatever a command could note comes later, and would leave out what was done by
 * then; a commit that comes too early only shows more.
 */
export function savedAfter(
  { review, phase, next }: Change,
  saved: Json | undefined,
  head: () => CommitId | null,
): Json | undefined {
  const known = readSaved(saved);
  const isTaskNext = next === 'complete-task' || next === 'complete-task-tdd';
  const began = isTaskNext ? beganNow(known.began, phase === 'tasks-review', head()) : known.began;
  const isKnown = began.task !== null || began.plan !== null;
  if (review === null && !isKnown) return saved;
  return { review: review ?? known.review, ...(isKnown ? { began } : {}) };
}

/** Only after the tasks' review it is the first one: a plan of an earlier version may be at its third. */
function beganNow(known: Began, isFirst: boolean, head: CommitId | null): Began {
  return { task: head, plan: known.plan ?? (isFirst ? head : null) };
}

function readReview(value: unknown): RememberedReview | null {
  if (!isObject(value)) return null;
  const { kind, task, iteration, number } = value;
  const review = typeof kind === 'string' ? asReview(kind) : null;
  if (review === null || !isCount(iteration) || !isCount(number)) return null;
  if (task !== null && !(typeof task === 'string' && isTaskId(task))) return null;
  return { kind: review, task, iteration, number };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
