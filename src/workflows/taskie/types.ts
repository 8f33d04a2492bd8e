// What a decision about a plan depends on and what it can change, as plain data fit for the journal (types only).

import type { Severity } from '../../reviewers/findings.ts';
import type { ReviewerFacts } from '../../reviewers/pair.ts';
import type { Phase, Review } from './phases.ts';

/** state.json as understood. `other`: there is a value, but not one we know. */
export type State = { kind: 'absent' } | { kind: 'broken' } | KnownState;

export type KnownState = {
  kind: 'known';
  maxReviews: number;
  currentTask: string | null;
  phase: Phase | 'other' | null;
  /** Reviews of this cycle so far; null outside a cycle. */
  iteration: number | null;
  next: Phase | 'other' | null;
  model: string;
  clean: number;
  tdd: boolean;
  /** Names of fields that are missing or have no usable value, so that the default stands in. */
  unsound: readonly string[];
};

export type Facts = {
  plan: string;
  /** How its folder is spelled on disk, where that is not its name. */
  spelled?: string;
  handFired: boolean;
  /** One sentence each; they hold file names, never contents. */
  violations: readonly string[];
  /** Changes whenever the structure does: the names in the plan folder, and its task table. */
  folder: string;
  /** Is plan.md there? */
  planWritten: boolean;
  /** Is the current task's file there? */
  taskWritten: boolean;
  /** The review that the state says is to be answered, and whether its post-review is there. */
  review: { number: number; answered: boolean } | null;
  /** The number the coming review gets; null when no review can come. */
  nextNumber: number | null;
  /** The task rows before a review; null: not read, as it takes a markdown parser. */
  tasks: TaskFacts | null;
  /** Who reviews, read when a review is due; null or left out: opus and sonnet, by Claude Code. */
  reviewers?: ReviewerFacts | null;
  /** What is left to do, read after the verdict; null: not read. */
  pending: PendingFacts | null;
  /** Findings below it do not count, from this round of a cycle on. Null or left out: the reviewer's word stands. */
  floor?: { severity: Exclude<Severity, 'low'>; from: number } | null;
};

export type TaskFacts = {
  ids: readonly string[];
  /** Rows whose id is no task id. */
  leftOut: number;
  /** The table's delimiter row did not fit, so its cells were split plainly. */
  plain: boolean;
  /** Rows whose status says neither that they are pending nor that they are over. Left out: none. */
  unclear?: number;
  /** Tasks that are done although one of their subtasks is pending. Left out: none. */
  unfinished?: number;
};

export type PendingFacts = {
  /** Is a row other than the current task's pending, whatever its id? */
  others: boolean;
  /** Does the current task's own row still say pending? */
  current: boolean;
};

/** Fields of state.json to be written, and the review that the sidecar is to remember. */
export type Change = {
  phase: Review;
  next: Phase;
  iteration: number;
  model: string;
  clean: number;
  review: RememberedReview | null;
};

/** Which file the review of an iteration really went to: numbers already taken are passed over. */
export type RememberedReview = {
  kind: Review;
  task: string | null;
  iteration: number;
  number: number;
  /** The reviewer, where it listed findings. */
  by?: string;
};
