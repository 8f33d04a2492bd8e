// Our own records in `.holdfast/`: whose a run is, what the hook last committed, the review under way.

import type { Json } from './json.ts';

/** What the progress guard remembers of one session's holds on a run. */
export type GuardMemory = {
  /** Was anything held yet? Before that there is nothing to compare with. */
  held: boolean;
  /** Holds in a row in which nobody else moved the state or an artifact. */
  noProgress: number;
  /** Of these, the last ones in a row without even a tool call. */
  noTools: number;
  /** The last ones in a row where the transcript could not tell. */
  toolsUnknown: number;
  released: boolean;
  /** What the artifacts looked like at the last hold: cheaply, and by content. */
  artifacts: { stamp: string; content: string };
  /** The last transcript line seen. */
  marker: string | null;
  /** The notice last shown, so that it is not shown again while nothing changes. */
  notified: string | null;
};

/** One piece of work that is run outside the lock, with its record. */
export type Attempt = ReviewAttempt | CheckAttempt;

export type ReviewAttempt = {
  id: string;
  work: 'review';
  reviewer: string;
  kind: string;
  number: number;
  /** The review file, relative to the project. */
  file: string;
  model: string;
  /** What the state calls this reviewer, where that is not the model. */
  named?: string | undefined;
  /** Fingerprint of what it looks at, where a verdict is good for that alone. */
  content?: string | undefined;
  owner: string | null;
  /** Milliseconds since 1970, as the deadline. */
  begun?: number | undefined;
  deadline: number;
  status: 'running' | 'interrupted' | 'done';
  verdict: 'clean' | 'findings' | 'none' | 'failed' | null;
  /** Why there is no verdict, where there is none. */
  cause?: NoVerdict | undefined;
  /** Fingerprint of the state the review was asked for. */
  before: string;
  /** Fingerprint of what a verdict of it speaks of in that state; without one, of the whole state. */
  subject?: string | undefined;
};

/** A check that runs. One that ended has no record here: its receipt lies in the user's state folder. */
export type CheckAttempt = {
  id: string;
  work: 'check';
  check: string;
  /** Fingerprint of what is run. */
  definition: string;
  owner: string | null;
  deadline: number;
  status: 'running' | 'interrupted';
};

export const NO_VERDICTS = [
  'missing',
  'not-logged-in',
  'usage-limit',
  'api-error',
  'timed-out',
  'killed',
  'too-much-output',
  'no-file',
  'no-verdict',
  'exit-code',
] as const;

/** Why a review has no verdict: one of a few words, and the number that goes with some of them. Never contents. */
export type NoVerdict = {
  kind: (typeof NO_VERDICTS)[number];
  /** Of `exit-code` the code, of `killed` the signal, of `api-error` the status, of `usage-limit` when it ends (s). */
  code: number | null;
};

export type Sidecar = {
  schema: 2;
  run: string;
  /** Ids of the one session this run belongs to (a client may have two for the same one). */
  sessions: readonly string[];
  /** Fingerprints of the state before and after the hook's own last commit; anything else was moved by someone. */
  committed: { before: string; after: string } | null;
  guard: Readonly<Record<string, GuardMemory>>;
  /** Work that is under way, or has ended and is not committed yet: at most one review and one check. */
  attempts: readonly Attempt[];
  /** Reviews in a row without a verdict, the state they were for, and why the last one had none. */
  failures: Failures;
  /** The first line of what was asked for, for the journal. Left out: its start had none. */
  task?: string | undefined;
  /** The workflow's own part. */
  saved?: Json | undefined;
  /** What proves this run's claims. Left out: its start found nothing to note. */
  proof?: ProofNotes | undefined;
  /** What the run waits for. Left out: for nothing. */
  waiting?: Waiting | undefined;
  /** What is counted about waits. Left out: there was none yet. */
  waits?: Waits | undefined;
  /** What the last hold said. Left out: there was none, or it has no shorter form. */
  given?: Given | undefined;
  /** The last hold, where it was handed over to the next session. Left out: holds are answered. */
  handover?: HandOver | undefined;
  /** What its start asked for as a budget. Left out: it asked for none. */
  budget?: BudgetNotes | undefined;
  /** Since when the run is paused, its budget being spent: its clock stands still. The budget itself has the last word. */
  paused?: number | undefined;
  /** When its session claimed it: the first one, or one that took it over. Left out: no session did. */
  takenOver?: number | undefined;
};

/** The last hold of a session, as far as the next one depends on it (engine/stop/word-hold.ts). */
export type Given = {
  session: string;
  /** The turn it was given in; null: the client names none. */
  turn: string | null;
  /** Fingerprint of what a shorter one leaves out. */
  task: string;
  /** Holds since all of it was first given, from 1, counted to the number at which all of it is given again. */
  holds: number;
};

/** A hold that was not answered: the session was let go, and the driver gives the text to the next one. */
export type HandOver = { session: string; text: string };

/** What a run may spend; null: as much as it likes. */
export type BudgetLimits = {
  /** Input, what is written to the cache, and output. */
  tokens: number | null;
  timeMs: number | null;
  reviews: number | null;
  usd: number | null;
};

/** A start in a sandbox cannot write where budgets lie, so it notes what it was asked for, and the first stop pins it. */
export type BudgetNotes = { limits: BudgetLimits; startedAt: number };

/** What a run can wait for. While it does, it is not held, and nothing is counted. */
export type Waiting = {
  for: 'work' | 'person' | 'limit';
  /** Milliseconds, as `until`. */
  since: number;
  /** When it is over at the latest; null: nobody knows. */
  until: number | null;
  /** For people: what runs, the question, or which limit in the client's own word. */
  what: string;
  /** Of a question: where the conversation stood when the user was shown it; null: that is still to come. */
  shown?: { marker: string | null; turn: string | null } | null | undefined;
  /** Whose limit it is, where it is a reviewer's: only a review waits for it. */
  reviewer?: string | undefined;
  /** Nobody asked anything: the workflow itself left the turn to the person. */
  pause?: true | undefined;
  /** What it is paused by is the client, which honours no more holds after this prompt: any other one ends it. */
  capped?: true | undefined;
};

export type Waits = {
  /** Milliseconds waited since the hook last moved the state: the run's own clock stood still. */
  waited: number;
  /** Questions in a row since something moved. */
  questions: number;
  /** Calls of `holdfast wait` that have ended, and the milliseconds they took in all. */
  calls: number;
  called: number;
  /** How many of them had ended at the last hold. */
  callsAtHold: number;
};

export const NO_WAITS: Waits = { waited: 0, questions: 0, calls: 0, called: 0, callsAtHold: 0 };

/**
 * The engine's own notes on proof: a start writes the first three, the hook the rest. They lie in the project, so
 * nothing in them makes a claim worth more; the pin (engine/proof/pin.ts) has the last word.
 */
export type ProofNotes = {
  /** What the start asked for: further checks by name (null: none), or none at all; and which of them may be red. */
  asked: { checks: readonly string[] | null; off: boolean; acceptRed?: readonly string[] | undefined };
  /** The checks as the start saw them: `name=definition`, with a blank between two. */
  definitions: string;
  /** Fingerprint of the content at the start; null: there is no git. */
  content: string | null;
  /** The same for the checks that look at some paths only, by name. */
  contents?: Readonly<Record<string, string>> | undefined;
  /** When that was; milliseconds. */
  startedAt?: number | undefined;
  pinned: boolean;
  /** Claims refused in a row. */
  refusals: number;
  /** The one hold about a check that cannot run was given. */
  cannotRunSaid: boolean;
  /** The one hold about protected files was given. */
  protectedSaid: boolean;
};

export type Failures = { count: number; state: string; cause?: NoVerdict | undefined };

export type SessionIndex = {
  schema: 2;
  /** Runs bound to this session at some time; each run's sidecar has the last word. */
  runs: readonly string[];
  /** Unclaimed runs and notices of our own that the user was shown. */
  notified: readonly string[];
  /** Modification time of each workflow's folder when unclaimed runs were last looked for. */
  looked: Readonly<Record<string, number>>;
  /** Its holds in a row since a prompt, and that prompt's id. Left out: its client honours as many as we like. */
  holds?: HoldsInRow | undefined;
  /** What its agent had said since a prompt at the last stop. Left out: its client does not send that. */
  said?: SaidSincePrompt | undefined;
};

/** The prompt and the text as fingerprints. */
export type SaidSincePrompt = { prompt: string; length: number; text: string };

export type HoldsInRow = { turn: string | null; count: number };

export const NO_GUARD_MEMORY: GuardMemory = {
  held: false,
  noProgress: 0,
  noTools: 0,
  toolsUnknown: 0,
  released: false,
  artifacts: { stamp: '', content: '' },
  marker: null,
  notified: null,
};

export function newSidecar(run: string): Sidecar {
  return {
    schema: 2,
    run,
    sessions: [],
    committed: null,
    guard: {},
    attempts: [],
    failures: { count: 0, state: '' },
  };
}

export const NEW_SESSION: SessionIndex = { schema: 2, runs: [], notified: [], looked: {} };
