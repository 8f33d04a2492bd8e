// What the driver judges by: how the run stands, how its client ended, how often it was tried (types only).

import type { Trouble } from '../clients/headless.ts';
import type { StopAt } from '../engine/driven.ts';
import type { Outcome, Worth } from '../store/journal-lines.ts';

/** How the run stands on disk. */
export type Stand =
  /** The agent itself is to begin it, and has not yet. */
  | { kind: 'none' }
  /** `byJournal`: nothing else says so. */
  | { kind: 'over'; outcome: Outcome | null; worth: Worth | null; byJournal?: true }
  | { kind: 'active' }
  /** It went stale while nobody worked on it: it is taken up again before its next session. */
  | { kind: 'stale' }
  /** `prompt`: its client takes no more holds after this one, and any other ends the wait. */
  | { kind: 'waits'; for: 'work' | 'limit' | 'prompt'; until: number | null }
  | { kind: 'question'; what: string }
  /** The guard let go of it. */
  | { kind: 'released' }
  /** Its budget is spent. */
  | { kind: 'paused'; why: string; flags: string }
  /** It does not go on by itself, and only a person may say how. */
  | { kind: 'person'; why: string }
  /** Its session may stop here, and a user would say "go on". */
  | { kind: 'goes-on'; reached: StopAt | null }
  /** A hold waits for the next session. */
  | { kind: 'handed-over' }
  /** It ended while it was driven, by neither a stop nor a person: its agent has done so. */
  | { kind: 'shed' }
  /** Another session has adopted it, and works on it. */
  | { kind: 'taken-over' };

export type ClientEnd = {
  /**
   * `turn`: it would take another prompt. `silent`: nothing came of it for too long. `never`: it did not begin. `shed`: it
   * works on without its run.
   */
  how: 'turn' | 'ended' | 'silent' | 'never' | 'shed';
  trouble: Trouble | null;
};

/** What moved since the client was last started or spoken to. */
export type Progress = 'state' | 'tools' | 'none';

/** Tries in a row without progress, by what made them needed. */
export type Counts = {
  crashes: number;
  errors: number;
  limits: number;
  /** Turns that ended although the run goes on. */
  prompts: number;
  overflows: number;
  /** Holds in a row that were handed over to a new session each. */
  handed: number;
  /** New sessions after the guard let go; never counted back. */
  persisted: number;
  /** Times in a row that tool calls alone counted as progress. */
  toolsAlone: number;
};

export const NO_COUNTS: Counts = {
  crashes: 0,
  errors: 0,
  limits: 0,
  prompts: 0,
  overflows: 0,
  handed: 0,
  persisted: 0,
  toolsAlone: 0,
};

export type Situation = {
  stand: Stand;
  end: ClientEnd;
  progress: Progress;
  counts: Counts;
  /** Tool calls that the client refused since something moved. */
  denied: number;
  now: number;
  persist: number;
  stopAt: StopAt | null;
};

/** 0 completed, 1 could not start, 4 completed but unproven, 5 unfinished, 6 needs a person, 7 budget spent. */
export type EndCode = 0 | 1 | 4 | 5 | 6 | 7;

export type Why =
  | 'completed'
  | 'unproven'
  | 'stop-at'
  | 'stuck'
  | 'limit'
  | 'cancelled'
  | 'cancelled-by-agent'
  | 'released'
  | 'unknown-end'
  | 'question'
  | 'person'
  | 'taken-over'
  | 'paused'
  | 'denied'
  | 'login'
  | 'billing'
  | 'crashes'
  | 'errors'
  | 'limits'
  | 'prompts'
  | 'overflows'
  | 'handed'
  | 'never-began';

/** What the next prompt is about. */
export type Say =
  | 'go-on'
  | 'continue'
  | 'after-limit'
  | 'after-error'
  | 'after-crash'
  | 'compact'
  | 'new-session'
  | 'handed-over';

export type Next =
  | { kind: 'finish'; code: EndCode; why: Why }
  /** The client wakes its agent by itself. */
  | { kind: 'listen' }
  /** `at`: when, in milliseconds; null: at once. */
  | { kind: 'go'; session: 'same' | 'new'; at: number | null; say: Say; counts: Counts };
