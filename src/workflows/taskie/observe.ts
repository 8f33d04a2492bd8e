// Reads what a decision about a plan depends on: state.json, the folder's structure, which review is to be
// answered and which number the next one gets. Under the lock, so nothing slow: the task table is a look.

import type { RunContext } from '../../engine/context.ts';
import { isHandFired } from '../../engine/context.ts';
import type { Observation } from '../../engine/workflow.ts';
import { whoReviews } from '../../reviewers/who-reviews.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json } from '../../store/json.ts';
import { below } from '../../store/paths.ts';
import type { TakenUp } from './docket.ts';
import { isMarkdown, openPlan, type PlanFolder, readPlanFile } from './files.ts';
import { isTaskId, nextFreeNumber, postReviewFile, reviewNumberOf, taskFile } from './names.ts';
import { asReview, reviewAnsweredBy } from './phases.ts';
import { readSaved } from './saved.ts';
import { readState } from './state-format.ts';
import type { Facts, KnownState, State } from './types.ts';
import { findViolations } from './validation.ts';

/** Contents never leave the process: decide sees what is derived from them. */
export type World = {
  folder: PlanFolder;
  stateText: string | null;
  /** As this stop's commit leaves it, for what is said with it. */
  docket?: TakenUp;
};

export function observe(context: RunContext): Observation<World, State, Facts> | null {
  const { root } = context.project;
  const folder = openPlan(root, context.run);
  if (folder === null) return null;
  const stateText = readPlanFile(root, folder, 'state.json');
  const state = withPair(readState(stateText), context);
  const markdown = folder.files.filter(isMarkdown);
  const tasks = readPlanFile(root, folder, 'tasks.md');
  const violations = findViolations({ files: markdown, nested: folder.nested, tasks });
  const facts: Facts = {
    plan: context.run,
    ...(folder.name === context.run ? {} : { spelled: folder.name }),
    handFired: isHandFired(context.stop),
    violations: shorten(violations),
    folder: fingerprint(`${folder.files.join('/')} ${folder.nested} ${tasks}`),
    planWritten: markdown.includes('plan.md'),
    ...(state.kind === 'known' ? reviewFacts(state, folder, context) : NO_REVIEW),
    tasks: null,
    pending: null,
    ...floorOf(context),
  };
  return {
    world: { folder, stateText },
    state,
    facts,
    stateHash: stateHash(stateText),
    subject: subjectOf(state),
    ...(state.kind === 'broken' ? { unreadable: true } : {}),
  };
}

function floorOf({ project }: RunContext): Pick<Facts, 'floor'> {
  const { severity, from } = project.config.floor;
  return severity === 'low' ? {} : { floor: { severity, from } };
}

/** An absent state is a state too: a file that appears has changed it. */
export function stateHash(text: string | null): string {
  return fingerprint(text === null ? 'no state.json' : `state.json ${text}`);
}

/** What a verdict is about. The limit, the models, tdd and fields of others may be edited while a review runs. */
function subjectOf(state: State): string {
  if (state.kind !== 'known') return fingerprint(state.kind);
  const { phase, next, currentTask, iteration } = state;
  return fingerprint(JSON.stringify([phase, next, currentTask, iteration]));
}

/** What the agent makes while it answers reviews: post-reviews and the tasks' own files. */
export function artifacts({ folder }: World): string[] {
  return folder.files
    .filter((file) => /-post-review-\d+\.md$/.test(file) || isTaskFile(file))
    .map((file) => below(folder.path, file));
}

const isTaskFile = (file: string): boolean => isTaskId(/^task-(.+)\.md$/.exec(file)?.[1] ?? '');

/** A state that names nobody is reviewed by the first of the pair. */
function withPair(state: State, { project }: RunContext): State {
  if (state.kind !== 'known' || !state.unsound.includes('review_model')) return state;
  return { ...state, model: project.config.review.models[0] };
}

type ReviewFacts = Pick<Facts, 'taskWritten' | 'review' | 'nextNumber' | 'reviewers'>;

const NO_REVIEW: ReviewFacts = { taskWritten: false, review: null, nextNumber: null };

function reviewFacts(state: KnownState, folder: PlanFolder, context: RunContext): ReviewFacts {
  const { currentTask: task } = state;
  const answered = reviewAnsweredBy(state.next);
  const due = answered ?? asReview(state.next);
  const reviewers = due === null ? null : whoReviews(context.project);
  return {
    taskWritten: task !== null && folder.files.includes(taskFile(task)),
    review: reviewToAnswer(state, folder, context.saved),
    nextNumber: due === null ? null : nextFreeNumber(folder.files, due, task, (state.iteration ?? 0) + 1),
    ...(reviewers === null ? {} : { reviewers }),
  };
}

/** The one the sidecar remembers for this very iteration; without it, the highest-numbered of its kind. */
export function reviewToAnswer(
  state: KnownState,
  folder: PlanFolder,
  saved: Json | undefined,
): Facts['review'] {
  const kind = reviewAnsweredBy(state.next);
  const { currentTask: task } = state;
  if (kind === null || (kind === 'code-review' && task === null)) return null;
  const numbers = folder.files.flatMap((file) => reviewNumberOf(file, kind, task) ?? []);
  const known = readSaved(saved).review;
  const isThis = known?.kind === kind && known.task === task && known.iteration === state.iteration;
  const number = isThis && numbers.includes(known.number) ? known.number : Math.max(0, ...numbers);
  if (number === 0) return null;
  return { number, answered: folder.files.includes(postReviewFile(kind, task, number)) };
}

/** A hold's reason must stay readable, and well under 8 kB, whatever lies in the folder. */
const MOST_CHARACTERS = 4000;

function shorten(violations: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const violation of violations) {
    length += violation.length;
    if (length > MOST_CHARACTERS) return [...shown, `and ${violations.length - shown.length} more`];
    shown.push(violation);
  }
  return shown;
}
