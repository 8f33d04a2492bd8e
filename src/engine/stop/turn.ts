// What a turn is made of: what earlier turns of the stop fetched, how it can end, and how a run was served.

import type { Answer } from '../../clients/stop.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import type { Attempt } from '../../store/records.ts';
import type { RunContext } from '../context.ts';
import type { Outcome } from '../step.ts';
import type { ReviewToBegin } from '../work/attempt.ts';
import type { ReviewCall } from '../workflow.ts';
import type { ToCommit } from './commit.ts';

/** What earlier turns of this stop have fetched. */
export type Fetched = {
  facts: JsonObject;
  /** A transcript that lags behind had its time to catch up. */
  awaited: boolean;
  /** The owner of an unfinished attempt lives: no second review beside it. */
  attemptBusy: boolean;
  /** The attempt of a review that ran in this stop, with its verdict: there is never a second one. */
  ended: Attempt | null;
};

export const NOTHING_FETCHED: Fetched = { facts: {}, awaited: false, attemptBusy: false, ended: null };

export type Turn = (
  | { kind: 'not-ours' }
  | { kind: 'answer'; served: Served; writes: ToCommit; forgetSignals: boolean }
  /** What the attempt of a hook that died left behind comes first. */
  | { kind: 'recover'; attempt: Attempt }
  | { kind: 'look'; at: string; context: RunContext; world: unknown }
  | { kind: 'wait-for-tools'; since: string | null }
  | { kind: 'review'; begin: ReviewToBegin; call: ReviewCall }
) & {
  /** Fingerprint of the state that was found. */
  state?: string;
};

/** Why a review that is due was not started. */
export type Unstepped = 'under-way' | 'no-time' | 'no-time-left' | 'just-ended';

/** How a run was served, with everything that `why` and `replay` need. */
export type Served = {
  answer: Answer;
  /** Ends the stop for all runs of the session. */
  quiet: boolean;
  /** How the run ended, so that the session can forget it; null: it goes on. */
  over: Outcome | null;
  record: {
    workflow: string;
    run: string;
    state: Json;
    facts: Json;
    guard: Json;
    step: Json;
    unstepped?: Unstepped;
  };
};
