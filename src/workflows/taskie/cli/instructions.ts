// The one instruction `next` prints: a markdown file per kind of thing to do, its slots filled here.

import type { Project } from '../../../engine/project.ts';
import { shownWord } from '../../../text/quoted.ts';
import type { Slots } from '../../../text/render.ts';
import { inText, planOption, postReviewFile, reviewFile, taskFile } from '../names.ts';
import { reviewTitle } from '../phases.ts';
import { renderForPlan } from '../render-for-plan.ts';
import { listed } from '../task-status.ts';
import ask from './instructions/ask.md';
import complete from './instructions/complete.md';
import continueTask from './instructions/continue-task.md';
import createTasks from './instructions/create-tasks.md';
import done from './instructions/done.md';
import finishPlan from './instructions/finish-plan.md';
import implement from './instructions/implement.md';
import nothingPending from './instructions/nothing-pending.md';
import postReview from './instructions/post-review.md';
import rebuild from './instructions/rebuild.md';
import reviewLost from './instructions/review-lost.md';
import stillPending from './instructions/still-pending.md';
import stop from './instructions/stop.md';
import stopAtLimit from './instructions/stop-at-limit.md';
import taskUnknown from './instructions/task-unknown.md';
import unnumbered from './instructions/unnumbered.md';
import type { Todo } from './todo.ts';
import type { PlanOnDisk } from './which-plan.ts';

const templates: Readonly<Record<Todo['kind'], string>> = {
  ask,
  complete,
  'continue-task': continueTask,
  'create-tasks': createTasks,
  done,
  'finish-plan': finishPlan,
  implement,
  'nothing-pending': nothingPending,
  'post-review': postReview,
  rebuild,
  'review-lost': reviewLost,
  'still-pending': stillPending,
  stop,
  'stop-at-limit': stopAtLimit,
  'task-unknown': taskUnknown,
  unnumbered,
};

export type Stated = { phase: string; next: string };

/** `stated` is what the file says, word for word: phases we do not know are shown too. */
export function instruct(
  todo: Todo,
  found: PlanOnDisk,
  project: Project,
  stated: Stated,
  unmarked: string | null,
): string {
  const template = templates[todo.kind];
  const everywhere = { cli: project.cli, folder: found.folder.path, option: planOption(found.plan) };
  const wanted = Object.entries(everywhere).filter(([slot]) => template.includes(`{{${slot}}}`));
  const slots = { plan: found.plan, ...Object.fromEntries(wanted), ...slotsOf(todo, found, stated) };
  const text = renderForPlan(template, slots, todo.kind);
  if (unmarked === null) return text;
  const areOff = found.state.kind === 'known' && found.state.maxReviews === 0;
  const why = areOff ? 'it was completed, and reviews are off' : 'its review has passed';
  return `${text} But first set the row of task ${unmarked} in tasks.md to done: ${why}.`;
}

function slotsOf(todo: Todo, { plan, folder, state }: PlanOnDisk, stated: Stated): Slots {
  const task = state.kind === 'known' ? state.currentTask : null;
  switch (todo.kind) {
    case 'post-review':
      return {
        action: todo.action,
        review: inText(plan, `${folder.path}/${reviewFile(todo.review, task, todo.number)}`),
        post: inText(plan, `${folder.path}/${postReviewFile(todo.review, task, todo.number)}`),
      };
    case 'review-lost':
      return { action: todo.action, review: todo.review };
    case 'stop':
      return { title: reviewTitle(todo.review, task) };
    case 'stop-at-limit':
      return { title: reviewTitle(todo.review, task), max: state.kind === 'known' ? state.maxReviews : 0 };
    case 'continue-task':
      return { task: todo.task, file: taskFile(todo.task) };
    case 'implement':
      return { action: todo.action, task: todo.task, file: taskFile(todo.task) };
    case 'task-unknown':
    case 'nothing-pending':
      return { next: todo.next };
    case 'unnumbered':
    case 'still-pending':
      return { rows: listed(todo.rows) };
    case 'ask':
      return { ...stated, task: task ?? 'none' };
    case 'rebuild':
      return todo.broken
        ? {
            problem: 'is not a JSON object',
            first: `\`mv ${shownWord(`${folder.path}/state.json`)} ${shownWord(`${folder.path}/state.json.broken`)}\`, then `,
          }
        : { problem: 'does not exist', first: '' };
    case 'finish-plan':
    case 'create-tasks':
    case 'complete':
    case 'done':
      return {};
  }
}
