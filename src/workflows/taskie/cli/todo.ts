// Where a plan goes on (pure): from state.json and the files to the one thing to do next.

import {
  asReview,
  asTaskAction,
  type Phase,
  type PostReview,
  postOf,
  type Review,
  reviewAnsweredBy,
} from '../phases.ts';
import type { KnownState, State } from '../types.ts';

export type Surroundings = {
  /** Number of the review the state says is to be answered; null when there is none. */
  reviewNumber: number | null;
  /** plan.md has an Overview, or more than fifty lines. */
  planWhole: boolean;
  /** Is the current task's file there, and if so, is every subtask of it implemented? */
  task: 'missing' | 'open' | 'implemented';
  /** Ids of the task rows, and of those that are pending, in the order of their ids. */
  rows: readonly string[];
  pending: readonly string[];
  /** Rows that are pending and whose id is no task id. */
  unnumbered: readonly string[];
};

export type Todo =
  | { kind: 'post-review'; action: PostReview; review: Review; number: number }
  | { kind: 'review-lost'; action: PostReview; review: Review }
  | { kind: 'stop'; review: Review }
  | { kind: 'stop-at-limit'; review: Review }
  | { kind: 'continue-task'; task: string }
  | { kind: 'task-unknown'; next: Phase }
  | { kind: 'finish-plan' }
  | { kind: 'create-tasks' }
  | { kind: 'implement'; action: 'complete-task' | 'complete-task-tdd'; task: string }
  | { kind: 'nothing-pending'; next: Phase }
  | { kind: 'unnumbered'; rows: readonly string[] }
  | { kind: 'still-pending'; rows: readonly string[] }
  | { kind: 'complete' }
  | { kind: 'done' }
  | { kind: 'ask' }
  | { kind: 'rebuild'; broken: boolean };

export function todoOf(state: State, around: Surroundings): Todo {
  if (state.kind !== 'known') return { kind: 'rebuild', broken: state.kind === 'broken' };
  const { next } = state;
  if (next === null) return withoutNext(state);
  const answered = reviewAnsweredBy(next);
  if (answered !== null) return answer(answered, around);
  const review = asReview(next);
  if (review !== null) return towardsReview(review, state, around);
  switch (next) {
    case 'create-tasks':
      return { kind: 'create-tasks' };
    case 'complete-task':
    case 'complete-task-tdd':
      return nextTask(next, state, around);
    case 'complete':
      return completion(state, around);
    default:
      return { kind: 'ask' };
  }
}

/** The row of the task that was reviewed last may have been forgotten: that is said with the way on. */
function completion(state: KnownState, { pending, unnumbered }: Surroundings): Todo {
  const forgotten = isAboutAllCode(state) ? state.currentTask : null;
  const rows = [...pending.filter((id) => id !== forgotten), ...unnumbered];
  return rows.length === 0 ? { kind: 'complete' } : { kind: 'still-pending', rows };
}

function withoutNext(state: KnownState): Todo {
  if (state.phase === 'complete') return { kind: 'done' };
  if (asTaskAction(state.phase) === null) return { kind: 'ask' };
  if (state.currentTask === null) return { kind: 'ask' };
  return { kind: 'continue-task', task: state.currentTask };
}

function answer(review: Review, around: Surroundings): Todo {
  const action = postOf(review);
  if (around.reviewNumber === null) return { kind: 'review-lost', action, review };
  return { kind: 'post-review', action, review, number: around.reviewNumber };
}

/** The hook reviews at the next stop, so the question is only whether what it reviews is finished. */
function towardsReview(review: Review, state: KnownState, around: Surroundings): Todo {
  const atLimit = state.maxReviews > 0 && (state.iteration ?? 0) >= state.maxReviews;
  const stop: Todo = { kind: atLimit ? 'stop-at-limit' : 'stop', review };
  if (reviewAnsweredBy(state.phase) !== null) return stop;
  switch (review) {
    case 'plan-review':
      return around.planWhole ? stop : { kind: 'finish-plan' };
    case 'tasks-review':
      return around.rows.length > 0 ? stop : { kind: 'create-tasks' };
    case 'code-review':
    case 'all-code-review':
      return towardsCodeReview(review, stop, state, around);
  }
}

function towardsCodeReview(review: Review, stop: Todo, state: KnownState, around: Surroundings): Todo {
  if (around.task === 'implemented') return stop;
  if (around.task === 'open' && state.currentTask !== null)
    return { kind: 'continue-task', task: state.currentTask };
  // All code can be reviewed without one task being the current one.
  return review === 'all-code-review' ? stop : { kind: 'task-unknown', next: review };
}

function nextTask(
  action: 'complete-task' | 'complete-task-tdd',
  state: KnownState,
  around: Surroundings,
): Todo {
  // A task whose review is over is over too, even where its row was forgotten.
  const over = isCodeReviewOver(state) ? state.currentTask : null;
  const task = around.pending.find((id) => id !== over);
  if (task !== undefined) return { kind: 'implement', action, task };
  const { unnumbered } = around;
  return unnumbered.length > 0
    ? { kind: 'unnumbered', rows: unnumbered }
    : { kind: 'nothing-pending', next: action };
}

/** The current task, when its review is over but its row still says pending: `next` names it on the way on. */
export function unmarkedTask(todo: Todo, state: State, around: Surroundings): string | null {
  if (state.kind !== 'known' || state.currentTask === null) return null;
  if (!around.pending.includes(state.currentTask)) return null;
  switch (todo.kind) {
    case 'implement':
    case 'nothing-pending':
    case 'unnumbered':
      return isCodeReviewOver(state) ? state.currentTask : null;
    case 'stop':
    case 'stop-at-limit':
      if (todo.review !== 'all-code-review') return null;
      return isCodeReviewOver(state) || isAboutAllCode(state) ? state.currentTask : null;
    case 'complete':
      return isAboutAllCode(state) ? state.currentTask : null;
    default:
      return null;
  }
}

/** Asked only where next_phase has left the review of one task's code behind. */
const isCodeReviewOver = ({ phase }: KnownState): boolean =>
  phase === 'code-review' || phase === 'post-code-review';

const isAboutAllCode = ({ phase }: KnownState): boolean =>
  phase === 'all-code-review' || phase === 'post-all-code-review';
