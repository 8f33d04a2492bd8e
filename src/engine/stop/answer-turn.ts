// From a decided step to the end of the turn. In this order: what is waited for, the budget, the claim, the guard,
// the client's cap; only then is the agent held, or a review begun.

import type { Attempt, ReviewAttempt, Waiting } from '../../store/records.ts';
import { runName } from '../context.ts';
import { activityOf, askGuard, type GuardResult, UNCOUNTED } from '../guard/progress.ts';
import type { AskedWait } from '../waiting/at-stop.ts';
import { timeForReview } from '../work/time-left.ts';
import { holdLast, pauseRun } from './answer-budget.ts';
import {
  type AnyStep,
  allowUnreviewed,
  allowUnstepped,
  allowWaiting,
  answerStep,
  awaitPrompt,
  type Decided,
  letGo,
  letGoRefused,
} from './answer-run.ts';
import { isRefusedTooOften, withWhatChanged } from './claim.ts';
import { holdsLeft } from './client-cap.ts';
import { notices } from './notices.ts';
import { dueAt } from './settle-budget.ts';
import type { Fetched, Turn } from './turn.ts';

export type Decision = {
  decided: Decided;
  step: Exclude<AnyStep, { kind: 'look' }>;
  /** What is waited for now; what the answer says of it may be older (`decided`). */
  wait: AskedWait;
  /** A reviewer's, for which it is waited. */
  limit: Waiting | null;
  /** The run's last one, finished or not. */
  review: ReviewAttempt | null;
  /** A review or a check of another hook that lives. */
  unfinished: Attempt | undefined;
  fetched: Fetched;
};

export function answerTurn(decision: Decision): Turn {
  const { decided, step, wait, limit, unfinished, fetched } = decision;
  const { workflow, context, sidecar, seen, budget } = decided;
  const state = seen.stateHash;
  if (step.kind === 'allow') return answerStep(decided, step, UNCOUNTED);
  // Once the last hold was given, nothing but a claim is looked into: one that stands still ends the run.
  const spent = budget?.ask(dueAt(decided, step)) ?? null;
  const isPaused = spent?.answer === 'stays-paused';
  const isClaim = step.kind === 'prove' && step.only === undefined && step.check === undefined;
  if (spent !== null && isPaused && !isClaim) return pauseRun(decided, step, spent);
  if (wait.answer.kind === 'waits') return allowWaiting(decided, step, limit);
  if (step.kind === 'prove') {
    if (unfinished === undefined) return { kind: 'prove', step, notes: sidecar.proof, state };
    const notice = notices.checkUnderWay(runName(workflow.name, context.run));
    return allowUnstepped(decided, step, UNCOUNTED, { notice, unstepped: 'under-way' });
  }
  if (step.kind === 'hold' && isRefusedTooOften(fetched.claim?.proof)) return letGoRefused(decided, step);
  if (spent?.answer === 'pause') return pauseRun(decided, step, spent);
  // A hold or a review is coming: the guard has its say before anything is spent.
  const guard = askGuard(
    workflow,
    context,
    sidecar,
    { stateHash: state, artifacts: workflow.artifacts(seen.world, context) },
    { since: (marker) => activityOf(context.stop, marker), awaited: fetched.awaited },
  );
  if (guard.kind === 'wait-for-tools') return { ...guard, state };
  if (guard.kind === 'release') return letGo(decided, step, guard);
  const left = step.kind === 'hold' ? holdsLeft(context) : null;
  if (left?.left === 0) return awaitPrompt(decided, step, left);
  const isLast = spent?.answer === 'last-hold';
  if (step.kind === 'hold')
    return isLast ? holdLast(decided, step, guard, spent) : answerStep(decided, step, guard, spent);
  const notNow = whyNoReview(decision);
  if (notNow !== null) return allowUnstepped(decided, step, guard, notNow);
  return isLast ? holdLast(decided, step, guard, spent) : beginReview(decision, step, guard);
}

/** There is never a second one at a time, nor in one stop. */
function whyNoReview({ review, fetched }: Decision): Parameters<typeof allowUnstepped>[3] | null {
  if (review !== null && review.status !== 'done')
    return { notice: notices.reviewUnderWay(review.file), unstepped: 'under-way' };
  return fetched.ended === null ? null : { unstepped: 'just-ended' };
}

type ReviewStep = Extract<AnyStep, { kind: 'review' }>;

function beginReview({ decided, wait, fetched }: Decision, step: ReviewStep, guard: GuardResult): Turn {
  const { workflow, context, sidecar, seen, facts, ended, passed } = decided;
  const { stop, project } = context;
  const time = timeForReview(stop, project);
  if (time.kind !== 'until') return allowUnreviewed(decided, step, guard, time.kind);
  if (workflow.reviewCall === undefined) throw new Error(`${workflow.name} asks for a review and has none`);
  const call = withWhatChanged(workflow.reviewCall(step.review, seen.world, context, facts), fetched);
  const { session } = stop;
  const { deadline } = time;
  return {
    kind: 'review',
    // One that has ended, and another is asked for all the same: its verdict is passed over.
    begin: { sidecar, request: step.review, of: seen, session, deadline, passed: passed ?? ended },
    ...{ call, wait, state: seen.stateHash },
  };
}
