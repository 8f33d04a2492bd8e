// What a decision can be. Steps are data: they name a message and its slots, a change and a review,
// and carry no free text, so that a recorded stop can be replayed and compared.

import type { FindingCounts } from '../reviewers/findings.ts';
import type { NoVerdict, Verdict } from '../reviewers/verdict.ts';
import type { Outcome } from '../store/journal-lines.ts';
import type { CheckFact, Proof } from './proof/types.ts';

/** A message file of the workflow and what goes into its slots: numbers, ids, file names. Never contents. */
export type Message = { name: string; slots: Readonly<Record<string, string | number>> };

export type Step<Change> =
  | {
      kind: 'allow';
      change: Change | null;
      notice: Message | null;
      /** Ends the stop for every run of the session, uncounted and unsaid (docs/decisions.md, decision 14). */
      quiet?: true;
      /** How the run ended. Nothing will be held again unless a command revives it: the session forgets it. */
      over?: Outcome;
      /** The run has come to its goal, though a later stop may still find something to hold: the journal says so. */
      completed?: true;
      /** Asks the client to keep the notice out of verbose logs. */
      suppressOutput?: true;
      /** It is a person's turn: until they have begun one the run waits for them, as after a question. */
      awaits?: 'person';
    }
  | { kind: 'hold'; change: Change | null; message: Message; notice: Message | null }
  | { kind: 'review'; review: ReviewRequest }
  | ProveStep
  /** One costly fact is missing; decide is called again with it. */
  | { kind: 'look'; at: string };

export type { Outcome };

/** The agent claims that work is done: the engine finds out what that is worth, and decide is called again with it. */
export type ProveStep = {
  kind: 'prove';
  /** This check alone, whose pass would be a claim. */
  only?: string;
  /** This check alone, and what it says is a fact (`checks`): no claim, so nothing is refused or counted. */
  check?: string;
  /** Nothing is refused any more: what the checks say is what the run's end is worth. */
  final?: true;
  /** Nothing is run: what was proven before, does it still stand? */
  receiptsOnly?: true;
  /** A part of the run's work: what was red when the run began is for the whole to make green. */
  inner?: true;
  /** After so many refusals in a row the claim stands, unproven, whatever is red. */
  standsAfter?: number;
};

/** A review to be run by the engine; then decide is called again with its verdict. */
export type ReviewRequest = {
  reviewer: string;
  kind: string;
  number: number;
  /** The review file that must come out, relative to the project. */
  file: string;
  /** As its program is given it; empty: the program's default. */
  model: string;
  /** What the state calls this reviewer, where that is not the model. */
  named?: string;
  /** Fingerprint of what it looks at, where a verdict is good for that alone. */
  content?: string;
};

/** What the engine adds to a workflow's own facts before it decides. */
export type EngineFacts = ReviewOutcome & ProofFacts;

/** Null: not asked for yet. */
export type ProofFacts = {
  /** What the claim is worth. */
  proof: Proof | null;
  /** What the one check says whose pass is a claim. */
  until: Proof | null;
};

/** What it adds for a workflow that asks for it. */
export type AskedFacts = {
  /** What each check said that was asked for by its name at this stop; left out: none was. */
  checks?: Readonly<Record<string, CheckFact>>;
  /** The run waits for a person, and they have not begun a turn yet. For a workflow that pauses. */
  waitsForPerson?: true;
  /** Fingerprint of what the review looked at whose verdict there is, where it was asked for with one. */
  reviewContent?: string;
};

export type ReviewOutcome = {
  /** Of the review that was asked for in this very state; null when none has ended yet. */
  verdict: Verdict | null;
  /** The number that review was asked for with; there when there is a verdict. */
  reviewNumber?: number;
  /** The model it was asked of, in the state's own words; the state may name another by now. */
  reviewModel?: string;
  /** How many findings the reviewer listed beside its verdict; null or left out: it listed none. */
  listed?: FindingCounts | null;
  /** Why there is no verdict: of this review, else of the last one that failed in this state. */
  noVerdict?: NoVerdict;
  /** Reviews in a row that ended without a verdict while the state stayed the same. */
  failedReviews: number;
};
