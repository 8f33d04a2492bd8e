// A loop as it is understood, and what a decision about it depends on and can change: plain data, fit for the journal.

import type { Message } from '../../engine/step.ts';

export type Mode = 'plan' | 'review';
export type Phase = 'drafting' | 'reviewing' | 'summarizing' | 'done' | 'cancelled' | 'errored';
export type Signal = 'none' | 'no-material-findings' | 'max-reached';

/** A state file read for use: what is missing or garbage has become something that can be worked with. */
export type Loop = {
  mode: Mode | 'unknown';
  phase: Phase | 'unknown';
  topic: string;
  round: number;
  /** Null: missing or garbage, so the default counts. */
  maxRounds: number | null;
  signal: Signal;
  fromDraft: boolean;
  interviewUsed: boolean;
  /** Empty when the file does not say. */
  repoRoot: string;
  startedAt: string;
  /** Milliseconds; null when the file does not say. */
  startedAtMs: number | null;
};

export type State = {
  mode: Loop['mode'];
  phase: Loop['phase'];
  round: number;
  maxRounds: number;
  signal: Signal;
};

export type Facts = {
  id: 'valid' | 'malformed';
  /** Is the stop's folder inside the loop's repo_root? */
  cwd: 'inside' | 'elsewhere';
  plan: 'missing' | 'empty' | 'unchanged' | 'drafted' | 'unread';
  /** This round's runner. */
  runner: 'idle' | 'running' | 'in-background';
  /** Has this round's hold to wait been given, and the notice after it? */
  waited: 'no' | 'held' | 'notified';
  /** The last round up to this one with a findings file; 0 when there is none. */
  lastReviewed: number;
  /** Of review mode; unread once the end of the review was answered and cleaned up after. */
  reviewFiles: 'written' | 'missing' | 'unread';
  /** Variables with garbage in them that the user was not notified of. */
  unwarned: readonly string[];
};

export type Change = {
  log: Logged;
  swap?: { from: Phase; to: Phase };
  round?: number;
  signal?: Signal;
  /** Write the runner of a round; the questions of the rounds from `owedFrom` on were not asked yet. */
  runner?: { round: number; owedFrom: number };
  /** Remove runner, prompt and lock. */
  cleanUp?: true;
  /** Move a state file that is none out of the way. */
  setAside?: true;
  waited?: 'held' | 'notified';
  warned?: readonly string[];
};

export type Logged = { answer: 'hold'; message: Message } | { answer: 'allow'; why: Why };

export type Why =
  | 'malformed-id'
  | 'elsewhere'
  | 'unknown-mode'
  | 'unknown-phase'
  | 'runner-in-background'
  | 'runner-running'
  | 'summary-given'
  | 'finished'
  | 'review-finished'
  | 'review-missing'
  | 'cancelled'
  | 'errored';
