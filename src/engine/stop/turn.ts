// What a turn is made of: what earlier turns of the stop fetched, how it can end, and how a run was served.

import type { Answer } from '../../clients/stop.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import type { Attempt, ProofNotes, ReviewAttempt, Sidecar, Waiting } from '../../store/records.ts';
import type { MeteredBudget } from '../budget/at-stop.ts';
import type { RunContext } from '../context.ts';
import type { PinnedRun } from '../proof/pin-run.ts';
import type { Proved } from '../proof/prove.ts';
import type { Outcome, ProveStep } from '../step.ts';
import type { AskedWait } from '../waiting/at-stop.ts';
import type { WaitChange } from '../waiting/on-record.ts';
import type { ReviewToBegin } from '../work/attempt.ts';
import type { ReviewReport } from '../work/report.ts';
import type { ReviewCall } from '../workflow.ts';
import type { ToCommit } from './commit.ts';

/** What earlier turns of this stop have fetched. */
export type Fetched = {
  /** What a look found, and the state it was looked for in. */
  facts: JsonObject;
  lookedIn: string | null;
  /** A transcript that lags behind had its time to catch up. */
  awaited: boolean;
  /** Unfinished attempts whose owner lives: nothing is started beside one. */
  busy: readonly string[];
  /** The attempt of a review that ran in this stop, with its verdict: there is never a second one. */
  ended: ReviewAttempt | null;
  /** What a finished review says beside its verdict: that one's, or one's that an earlier stop left. */
  report: ReviewReport | null;
  /** What was waited for before that review began: by its end it is off the record. */
  waited: AskedWait | null;
  /** At the run's first stop: what came of pinning its checks; null: that was not tried. */
  pinned: PinnedRun | null;
  /** The run's budget, brought up to this stop; 'none': it has none; null: that was not asked yet. */
  budget: MeteredBudget | 'none' | null;
  /** What the agent's claim is worth. */
  claim: Proved | null;
  /** What the one check says whose pass is a claim, and the state in which it was asked. */
  until: { proved: Proved; state: string } | null;
  /** What the checks say that were asked for by their names, in the order in which they were. */
  checks: readonly { name: string; proved: Proved }[];
};

export const NOTHING_FETCHED: Fetched = {
  facts: {},
  lookedIn: null,
  awaited: false,
  busy: [],
  ended: null,
  report: null,
  waited: null,
  pinned: null,
  budget: null,
  claim: null,
  until: null,
  checks: [],
};

export type Turn = (
  | { kind: 'not-ours' }
  /** `settle` writes down what the answer means for the run's budget. */
  | { kind: 'answer'; served: Served; writes: ToCommit; forgetSignals: boolean; settle?: () => void }
  /** What the attempt of a hook that died left behind comes first. */
  | { kind: 'recover'; attempt: Attempt }
  /** One that has ended is not committed yet, and what it says beside its verdict still lies in its output. */
  | { kind: 'read-review'; attempt: ReviewAttempt }
  | { kind: 'look'; at: string; context: RunContext; world: unknown }
  | { kind: 'wait-for-tools'; since: string | null }
  /** The run's first stop: what its checks are is written down where no agent can change it. */
  | { kind: 'pin'; notes: ProofNotes | undefined }
  /** The run has a budget: what was spent up to now. */
  | { kind: 'meter'; sidecar: Sidecar; finished: ReviewAttempt | null }
  | { kind: 'prove'; step: ProveStep; notes: ProofNotes | undefined; state: string }
  | { kind: 'review'; begin: ReviewToBegin; call: ReviewCall; wait: AskedWait }
) & {
  /** Fingerprint of the state that was found. */
  state?: string;
};

/** Why a review that is due, or a check that is wanted, was not started; or why a hold that is due was not given. */
export type Unstepped = 'under-way' | 'no-time' | 'no-time-left' | 'just-ended' | 'client-cap';

/** How a run was served, with everything that `why` and `replay` need. */
export type Served = {
  answer: Answer;
  /** Ends the stop for all runs of the session. */
  quiet: boolean;
  /** How the run ended, so that the session can forget it; null: it goes on. */
  over: Outcome | null;
  /** How it ended at this very stop, for the journal. */
  ended: Outcome | null;
  /** What it was asked for, as its notes have it. */
  task?: string | undefined;
  record: {
    workflow: string;
    run: string;
    state: Json;
    facts: Json;
    guard: Json;
    step: Json;
    unstepped?: Unstepped;
    waiting?: Json;
    budget?: Json;
  };
  /** The question that the user is shown by this answer. */
  shown?: Waiting;
  /** The question that this stop found answered. */
  answered?: Waiting;
  /** It holds, and the hold is for the next session: this one is let go. */
  handedOver?: true;
  /** What it began to wait for, or waits for no longer. */
  waits?: readonly WaitChange[];
  /** It has had no hold yet: its project may be new to the user's list. */
  first?: true;
  /** The run waits before its claim was looked into: what the agent said is kept for it, too. */
  keepsSignal?: true;
};
