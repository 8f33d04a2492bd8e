// The words of proof (docs/contracts/proof.md): what a check is, what it said, and what a claim is worth. Types only.

export type { Check } from '../../config/check.ts';

/** How a check ended. Only the first three are kept in a receipt. */
export type CheckEnd = 'passed' | 'failed' | 'timed-out' | 'cannot-run';

/** Why a check cannot run. */
export type CannotRun =
  | 'not-found'
  | 'not-executable'
  | 'no-sandbox'
  | 'no-time'
  | 'changes-files'
  | 'too-much-output'
  | 'no-folder';

/** What a check said, bound to its definition and to the content it ran on. */
export type Receipt = {
  check: string;
  /** Fingerprint of the definition. */
  definition: string;
  /** Fingerprint of the content. */
  content: string;
  end: Exclude<CheckEnd, 'cannot-run'>;
  /** Exit code; null when it was ended at its time limit. */
  code: number | null;
  milliseconds: number;
  /** It passed only when it was run again. */
  flaky: boolean;
  /** The lines of its output that say what failed, then the last ones: at most 2,000 characters, no control codes. */
  tail: string;
  /** When it ended; of one that was red on this content before, when it first was. Milliseconds. */
  at: number;
  /** When it last ended. Left out: `at`. */
  last?: number | undefined;
  /** Which run's claim made it, and the newest line of its agent's transcript then. Left out: `holdfast check` did. */
  by?: { run: string; root: string; marker: string | null } | undefined;
};

/** By whom a red check was accepted: `outer`: the frame around this one still has to make it green. */
export type AcceptedBy = 'start' | 'person' | 'config' | 'outer';

/** One check at a claim, as a decision and the journal know it: no contents. */
export type CheckFact = {
  name: string;
  end: CheckEnd | 'untrusted';
  code: number | null;
  milliseconds: number | null;
  /** `receipt`: the content is the one it ran on before, so it was not run again. */
  from: 'run' | 'receipt' | null;
  flaky?: true;
  /** It was red on the content that the run began with, too: shown, and no excuse. */
  redBefore?: true;
  /** It is red, and refuses nothing. */
  accepted?: AcceptedBy;
  /** The same as `redBefore` in a run that was pinned when that was an excuse. */
  failedBefore?: true;
  why?: CannotRun;
};

/** Why a claim that stands is not proven. */
export type Unproven =
  | 'untrusted'
  | 'cannot-run'
  | 'failed'
  | 'accepted-red'
  /** Of runs that were pinned when this was an excuse. */
  | 'failed-before'
  | 'switched-off'
  | 'not-pinned'
  | 'changed-since'
  | 'refused-too-often';

/** What a claim is worth: the fact that a decision rests on. */
export type Proof = {
  /** `refused`: the agent goes on. */
  claim: 'stands' | 'refused';
  /** `unasked`: the run has no checks. */
  worth: 'proven' | 'unproven' | 'unasked';
  why: readonly Unproven[];
  checks: readonly CheckFact[];
  /** Protected files that somebody changed, removed or added since the run began: how many. */
  protectedChanged: number;
  /** The claim is refused once, so that the agent restores or justifies these. */
  heldForProtected?: true;
  /** Nothing changed since the failing run, so nothing was run again. */
  unchanged?: true;
};
