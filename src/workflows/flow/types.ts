// The words of a flow: its definition as it is compiled, and what a decision knows of a run. Types, no behaviour.

import type { Outcome } from '../../engine/step.ts';
import type { ReviewerFacts } from '../../reviewers/pair.ts';
import type { NearMiss } from '../../text/signals.ts';

/** Compiled from YAML when a run starts; from then on this is what counts. Plain data, no code. */
export type Definition = {
  schema: 1;
  flow: string;
  about: string | null;
  /** The most holds of a whole run. */
  holds: number;
  start: string;
  states: Readonly<Record<string, StateDefinition>>;
  reviews: Readonly<Record<string, ReviewDefinition>>;
};

export type StateDefinition =
  | {
      kind: 'work';
      say: string;
      leave: readonly Line[];
      /** The most holds of one visit, and where it goes then. */
      holds: number | null;
      otherwise: string | null;
    }
  | { kind: 'pause'; say: string | null; leave: readonly Line[] }
  | { kind: 'end'; end: 'completed' | 'let-go'; say: string | null };

export type ReviewDefinition = { prompt: string; files: readonly string[] };

/** All of `when` must hold; the costly parts come last. */
export type Line = { when: readonly Condition[]; to: string };

export type Condition =
  | { kind: 'visits'; least: number }
  | { kind: 'signal'; name: string }
  | { kind: 'file'; glob: string; is: 'exists' | 'missing' | 'changed' }
  | { kind: 'check'; name: string; is: 'passed' | 'failed' }
  | { kind: 'review'; name: string; is: 'clean' | 'findings' };

export type State =
  | { kind: 'unreadable'; what: 'definition' | 'state' }
  | { kind: 'ended'; outcome: Outcome }
  | At;

/** Where a run stands, with the part of the definition that matters there. */
export type At = {
  kind: 'at';
  flow: string;
  at: string;
  pause: boolean;
  lines: readonly TargetLine[];
  /** The most holds of this visit, and where it goes then. */
  limit: { holds: number; otherwise: Target } | null;
  /** How often this state was entered. */
  visits: number;
  /** Holds in this visit. */
  stay: number;
  /** Holds of the whole run, and the most there may be. */
  held: number;
  most: number;
};

export type TargetLine = { when: readonly Condition[]; target: Target };

export type Target = {
  to: string;
  is: 'work' | 'pause' | 'completed' | 'let-go';
  /** How often it was entered so far. */
  visits: number;
  /** It asks whether files changed since its entry. */
  watches: boolean;
};

export type Facts = {
  run: string;
  /** Is the definition the one that the first stop found? `none`: this is the first. */
  pinned: 'same' | 'differs' | 'none';
  /** The name of the first signal that somebody listens for here; NO_SIGNAL, or UNREAD. */
  signal: string;
  /** What came near to a signal, where there was none: the hold hints at it. */
  nearMiss: NearMiss;
  /** The transcript's newest line, empty when it has none; null: nobody looked. */
  seen: string | null;
  /** By `fileKey`, whether each file condition of this state holds; null: nobody looked. */
  files: Readonly<Record<string, boolean>> | null;
  /** Fingerprint of what this state's review looks at; null: nobody looked. */
  content: string | null;
  /** What that review said last, and of which content. */
  reviewed: Reviewed | null;
  /** How many reviews the run has had. */
  reviews: number;
  /** Who reviews, read where a review may come; left out: opus and sonnet, by Claude Code. */
  reviewers?: ReviewerFacts;
  /** What the files that the next state watches are like as it is entered; null: nobody looked. */
  marks: { of: string; marks: Marks } | null;
};

export type Reviewed = { content: string; verdict: 'clean' | 'findings'; number: number };

/** Fingerprints by pattern. */
export type Marks = Readonly<Record<string, string>>;

/** No name of a signal: those begin with a letter. */
export const NO_SIGNAL = '';
export const UNREAD = '?';

/** What is to be written, said relative to the state that was read. */
export type Change = {
  /** The state that is entered; null: it stays in the one it is in. */
  to: string | null;
  /** The line of `leave` that was taken, from 0; null: none of them. */
  by: number | 'otherwise' | null;
  held: boolean;
  ended: Outcome | null;
  marks: Marks;
  /** What a review of this stop said. */
  reviewed: (Reviewed & { name: string }) | null;
  seen: string | null;
};
