// What `record` writes after each action (pure): when it fits, and which fields it sets. Everything it does not
// name stays as it is in the file.

import { isTaskId, reviewNumberOf, taskFile } from '../names.ts';
import { asTaskAction, type Phase, postOf, REVIEWS, type Review, reviewAnsweredBy } from '../phases.ts';
import { NEW_STATE, type StateFields } from '../state-format.ts';
import { listed } from '../task-status.ts';
import type { KnownState, State } from '../types.ts';

export type Action = Phase | 'add-task';

export const ACTIONS: readonly Action[] = [
  'new-plan',
  'create-tasks',
  'next-task',
  'next-task-tdd',
  'complete-task',
  'complete-task-tdd',
  'continue-task',
  'add-task',
  ...REVIEWS,
  ...REVIEWS.map(postOf),
  'complete',
];

export const needsTask = (action: Action): boolean =>
  action === 'add-task' || (action !== 'continue-task' && asTaskAction(action) !== null);

/** What the folder holds, as far as it decides whether an action fits. */
export type Held = {
  files: readonly string[];
  /** Ids of the task rows, and of all rows that are pending, whatever their id. */
  rows: readonly string[];
  pending: readonly string[];
  /** Who begins a cycle of reviews. */
  firstReviewer: string;
};

export type Transition =
  | { kind: 'create'; fields: StateFields }
  | { kind: 'change'; fields: Partial<StateFields> }
  /** `why` is what is in the way, `fits` when it would fit. */
  | { kind: 'refused'; why: string; fits: string };

/** `task` is there for the actions that need one. */
export function transition(action: Action, task: string, state: State, held: Held): Transition {
  if (action === 'new-plan') return newPlan(state, held);
  if (state.kind === 'absent') return refused('there is no state.json', 'after `record new-plan`');
  if (state.kind === 'broken')
    return refused(
      'state.json is not a JSON object',
      'once it is fixed, or moved away and `record new-plan` has run',
    );
  return actionIn(state, action, task, held);
}

function newCycle({ firstReviewer }: Held) {
  return { phase_iteration: 0, review_model: firstReviewer, consecutive_clean: 0 };
}

function newPlan(state: State, held: Held): Transition {
  if (state.kind !== 'absent') return refused('the plan has a state.json already', 'a plan without one');
  return { kind: 'create', fields: { ...NEW_STATE, ...newCycle(held) } };
}

function actionIn(
  state: KnownState,
  action: Exclude<Action, 'new-plan'>,
  task: string,
  held: Held,
): Transition {
  switch (action) {
    case 'create-tasks':
      if (!held.files.includes('plan.md')) return refused('there is no plan.md', 'once it is written');
      return change({ phase: action, current_task: null, next_phase: 'tasks-review', ...newCycle(held) });
    case 'next-task':
    case 'next-task-tdd':
      if (!hasTask(task, held)) return noTask(task);
      return change({ phase: action, current_task: task, next_phase: null, phase_iteration: null });
    case 'complete-task':
    case 'complete-task-tdd':
      return completeTask(action, task, held);
    case 'continue-task':
      return continueTask(state);
    case 'add-task':
      return addTask(task, state, held);
    case 'plan-review':
    case 'tasks-review':
    case 'code-review':
    case 'all-code-review':
      return standalone(action, state, held);
    case 'post-plan-review':
      return answer('plan-review', state, held);
    case 'post-tasks-review':
      return answer('tasks-review', state, held);
    case 'post-code-review':
      return answer('code-review', state, held);
    case 'post-all-code-review':
      return answer('all-code-review', state, held);
    case 'complete':
      return complete(state, held);
  }
}

function completeTask(action: 'complete-task' | 'complete-task-tdd', task: string, held: Held): Transition {
  if (!hasTask(task, held)) return noTask(task);
  const tdd = action === 'complete-task-tdd';
  return change({ phase: action, current_task: task, next_phase: 'code-review', ...newCycle(held), tdd });
}

/** The hook knows by phase and next_phase together that an answer is owed: a new phase would end the loop unseen. */
function continueTask({ currentTask, next }: KnownState): Transition {
  if (currentTask === null) return NO_CURRENT_TASK;
  const owed = reviewAnsweredBy(next);
  if (owed !== null)
    return refused(`the answer to the ${owed} is outstanding`, `once \`record ${postOf(owed)}\` has run`);
  return change({ phase: 'continue-task' });
}

function complete(state: KnownState, held: Held): Transition {
  if (held.pending.length > 0)
    return refused(
      `pending in tasks.md: ${listed(held.pending)}`,
      'once no row of tasks.md says pending: each is done, cancelled or postponed',
    );
  if (state.next !== 'complete' && held.rows.length === 0)
    return refused('tasks.md has no tasks', 'when next_phase is complete, or tasks.md has rows');
  return change({ phase: 'complete', next_phase: null });
}

/** A review by itself leaves the loop: nothing follows. */
function standalone(review: Review, state: KnownState, held: Held): Transition {
  const missing = whatIsMissing(review, state, held);
  if (missing !== null) return missing;
  return change({ phase: review, next_phase: null, phase_iteration: null });
}

function whatIsMissing(review: Review, state: KnownState, held: Held): Transition | null {
  switch (review) {
    case 'plan-review':
      return held.files.includes('plan.md') ? null : refused('there is no plan.md', 'once it is written');
    case 'tasks-review':
    case 'all-code-review':
      return held.rows.length > 0 ? null : refused('tasks.md has no tasks', 'once it has a row per task');
    case 'code-review':
      if (state.currentTask === null) return NO_CURRENT_TASK;
      return hasTask(state.currentTask, held) ? null : noTask(state.currentTask);
  }
}

/**
 * In a loop, which a number in phase_iteration tells, the reviewer has the next word; unless a person set
 * next_phase to null meanwhile: then the loop stays left. The loop of another review is not to be moved.
 */
function answer(review: Review, state: KnownState, held: Held): Transition {
  const { currentTask: task, iteration, next } = state;
  if (review === 'code-review' && task === null) return NO_CURRENT_TASK;
  if (!held.files.some((file) => reviewNumberOf(file, review, task) !== null))
    return refused(`there is no ${review} in the plan folder`, 'after that review');
  if (iteration !== null && !isAbout(review, state))
    return refused(`the plan is not at its ${review}`, `while phase or next_phase is ${review}`);
  return change({ phase: postOf(review), next_phase: iteration === null || next === null ? null : review });
}

function isAbout(review: Review, { phase, next }: KnownState): boolean {
  return [phase, next].some((each) => each === review || each === postOf(review));
}

function addTask(task: string, state: KnownState, held: Held): Transition {
  if (!hasTask(task, held)) return noTask(task);
  if (!held.rows.includes(task)) return refused(`tasks.md has no row for task ${task}`, 'once it has one');
  return change(state.currentTask === null ? { current_task: task } : {});
}

const hasTask = (task: string, held: Held): boolean => isTaskId(task) && held.files.includes(taskFile(task));

const noTask = (task: string): Transition => refused(`there is no ${taskFile(task)}`, 'once it is written');

const refused = (why: string, fits: string): Transition => ({ kind: 'refused', why, fits });
const change = (fields: Partial<StateFields>): Transition => ({ kind: 'change', fields });

const NO_CURRENT_TASK = refused('there is no current_task', 'while a task is under way');
