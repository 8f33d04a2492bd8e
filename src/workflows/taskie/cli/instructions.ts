// The one instruction `next` prints: a markdown file per route, its slots filled here.

import type { Project } from '../../../engine/project.ts';
import { render, type Slots } from '../../../text/render.ts';
import { shellQuote } from '../../../text/shell.ts';
import { planOption, postReviewFile, reviewFile, taskFile } from '../names.ts';
import { reviewTitle } from '../phases.ts';
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
import stop from './instructions/stop.md';
import stopAtLimit from './instructions/stop-at-limit.md';
import taskUnknown from './instructions/task-unknown.md';
import type { Route } from './next-action.ts';
import type { PlanAtHand } from './which-plan.ts';

const templates: Readonly<Record<Route['kind'], string>> = {
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
  stop,
  'stop-at-limit': stopAtLimit,
  'task-unknown': taskUnknown,
};

export type Stated = { phase: string; next: string };

/** `stated` is what the file says, word for word: phases we do not know are shown too. */
export function instruct(
  route: Route,
  atHand: PlanAtHand,
  project: Project,
  stated: Stated,
  unmarked: string | null,
): string {
  const template = templates[route.kind];
  const everywhere = { cli: project.cli, folder: atHand.folder.path, option: planOption(atHand.plan) };
  const wanted = Object.entries(everywhere).filter(([slot]) => template.includes(`{{${slot}}}`));
  const slots = { plan: atHand.plan, ...Object.fromEntries(wanted), ...slotsOf(route, atHand, stated) };
  const text = render(template, slots, route.kind);
  if (unmarked === null) return text;
  const areOff = atHand.state.kind === 'known' && atHand.state.maxReviews === 0;
  const why = areOff ? 'it was completed, and reviews are off' : 'its review has passed';
  return `${text} But first set the row of task ${unmarked} in tasks.md to done: ${why}.`;
}

function slotsOf(route: Route, { folder, state }: PlanAtHand, stated: Stated): Slots {
  const task = state.kind === 'known' ? state.currentTask : null;
  switch (route.kind) {
    case 'post-review':
      return {
        action: route.action,
        review: `${folder.path}/${reviewFile(route.review, task, route.number)}`,
        post: `${folder.path}/${postReviewFile(route.review, task, route.number)}`,
      };
    case 'review-lost':
      return { action: route.action, review: route.review };
    case 'stop':
      return { title: reviewTitle(route.review, task) };
    case 'stop-at-limit':
      return { title: reviewTitle(route.review, task), max: state.kind === 'known' ? state.maxReviews : 0 };
    case 'continue-task':
      return { task: route.task, file: taskFile(route.task) };
    case 'implement':
      return { action: route.action, task: route.task, file: taskFile(route.task) };
    case 'task-unknown':
    case 'nothing-pending':
      return { next: route.next };
    case 'ask':
      return { ...stated, task: task ?? 'none' };
    case 'rebuild':
      return route.broken
        ? {
            problem: 'is not a JSON object',
            first: `\`mv ${shellQuote(`${folder.path}/state.json`)} ${shellQuote(`${folder.path}/state.json.broken`)}\`, then `,
          }
        : { problem: 'does not exist', first: '' };
    case 'finish-plan':
    case 'create-tasks':
    case 'complete':
    case 'done':
      return {};
  }
}
