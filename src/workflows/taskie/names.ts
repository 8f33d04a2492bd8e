// File names in a plan folder, and ids fit to become part of one (pure). Nothing else makes such names.

import { quoted, shownWord } from '../../text/quoted.ts';
import { REVIEWS, type Review } from './phases.ts';

export const PLANS = '.taskie/plans';

export const LONGEST_PLAIN = 100;

/** A plain word: it stands in texts, files and commands as it is. Any other name is quoted there. */
export const isPlainPlan = (plan: string): boolean =>
  plan.length <= LONGEST_PLAIN && /^[A-Za-z0-9_-]+$/.test(plan);

/** A plan is its folder's name in NFC, however the folder itself is spelled. */
export const isPlanId = (text: string): boolean => isPlainPlan(text) || whyNoPlan(text) === null;

/** Why a folder of that name is not served, after "its name"; null: it is. */
export function whyNoPlan(name: string): string | null {
  if (name === '') return 'is empty';
  if (name.startsWith('.')) return 'begins with a dot';
  if (/\p{Surrogate}/u.test(name)) return 'is not valid UTF-8';
  if (/\p{Cc}/u.test(name)) return 'has control characters in it';
  if (/\p{Bidi_Control}/u.test(name)) return 'has characters in it that turn the direction of writing';
  return name.includes('/') ? 'has a slash in it' : null;
}

export const planOfFolder = (name: string): string => (isPlainPlan(name) ? name : name.normalize('NFC'));
export const isTaskId = (text: string): boolean => /^\d{1,50}$/.test(text);

/** Relative to the project; by the name that the folder itself has. */
export const planFolder = (name: string): string => `${PLANS}/${name}`;

/** For a command that is printed: an id may begin with `-`, and would be read as an option of its own. */
export const planOption = (plan: string): string =>
  `--plan${plan.startsWith('-') ? '=' : ' '}${shownWord(plan)}`;

/** A path of the plan's folder, or any other text that has its name in it, for a text that is read. */
export const inText = (plan: string, text: string): string => (isPlainPlan(plan) ? text : quoted(text));

/** `'my-plan'`, but `"my plan"`. */
export const planInText = (plan: string): string => (isPlainPlan(plan) ? `'${plan}'` : quoted(plan));

export const taskFile = (task: string): string => `task-${task}.md`;
export const logFile = (number: number): string => `.review-${number}.log`;

export function reviewFile(review: Review, task: string | null, number: number): string {
  return `${stem(review, task)}-review-${number}.md`;
}

export function postReviewFile(review: Review, task: string | null, number: number): string {
  return `${stem(review, task)}-post-review-${number}.md`;
}

/** The number in a review's file name; null when the file is not one of these reviews. */
export function reviewNumberOf(file: string, review: Review, task: string | null): number | null {
  const prefix = `${stem(review, task)}-review-`;
  if (!file.startsWith(prefix) || !file.endsWith('.md')) return null;
  const number = file.slice(prefix.length, -'.md'.length);
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
}

/** A review or post-review of a plan, by its file's name. */
export type NamedReview = {
  /** Of the review itself, also where the post-review is meant. */
  review: string;
  isAnswer: boolean;
  kind: Review;
  task: string | null;
  number: number;
};

export function readReviewName(file: string): NamedReview | null {
  const [, stage = '', task, post, digits] =
    /^(plan|tasks|all-code|task-(\d{1,50}))-(post-)?review-([1-9]\d{0,8})\.md$/.exec(file) ?? [];
  if (digits === undefined) return null;
  const kind = task === undefined ? (`${stage}-review` as Exclude<Review, 'code-review'>) : 'code-review';
  const review = file.replace('-post-review-', '-review-');
  return { review, isAnswer: post !== undefined, kind, task: task ?? null, number: Number(digits) };
}

/** In the order in which a plan goes through its reviews. */
export function byReview(left: NamedReview, right: NamedReview): number {
  const stage = REVIEWS.indexOf(left.kind) - REVIEWS.indexOf(right.kind);
  return stage || byTaskId(left.task ?? '', right.task ?? '') || left.number - right.number;
}

export function logNumberOf(file: string): number | null {
  const number = /^\.review-([1-9]\d{0,8})\.log$/.exec(file)?.[1];
  return number === undefined ? null : Number(number);
}

/** The number the next review gets: the wanted one, or the first after it whose names are both free. */
export function nextFreeNumber(
  files: readonly string[],
  review: Review,
  task: string | null,
  wanted: number,
): number {
  // macOS folders take two spellings for one name, so a taken name is taken in any.
  const taken = new Set(files.map((file) => file.toLowerCase()));
  let number = wanted;
  while (taken.has(reviewFile(review, task, number)) || taken.has(postReviewFile(review, task, number)))
    number++;
  return number;
}

/** Task ids are numbers of any length, so they are compared as text: the longer one is greater. */
export function byTaskId(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}

function stem(review: Review, task: string | null): string {
  switch (review) {
    case 'plan-review':
      return 'plan';
    case 'tasks-review':
      return 'tasks';
    case 'code-review':
      return `task-${task ?? ''}`;
    case 'all-code-review':
      return 'all-code';
  }
}
