// What there is to see, in one model for status, watch, web and report (types only). All of it is plain data, fit for
// JSON. Whatever text stands in it may come from a repository, an agent or a reviewer: it is data wherever it is shown.

import type { Severity } from '../reviewers/findings.ts';
import type { Position } from '../store/journal-forward.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import type { BudgetLimits } from '../store/records.ts';
import type { Trouble } from '../store/trouble.ts';
import type { RunEnd, RunState } from './run-state.ts';

export type ViewModel = {
  /** Milliseconds since 1970, as every time in the model. When it was read. */
  at: number;
  /** By their root. One that is gone is left out. */
  projects: readonly ProjectView[];
};

export type ProjectView = {
  /** Short, and the same for ever: fit for an address. */
  id: string;
  /** Real path of the folder. */
  root: string;
  /** The folder's own name, for people. */
  name: string;
  /** By their status, those that need a person first; then the newest first. No more than `MOST_RUNS`. */
  runs: readonly RunView[];
  /** How many older ones were left out. */
  leftOut: number;
  /** What cannot be read here, and what to do about it. */
  troubles: readonly Trouble[];
  /** How far back the journal has been read. Null: to its beginning, so every count is whole. */
  readBackTo: Position | null;
};

export type RunView = {
  /** `<project's id>/<name>`. */
  id: string;
  /** `<workflow>:<id>`, as commands take it. */
  name: string;
  workflow: string;
  run: string;
  /** How it stands (run-state.ts). */
  status: RunState;
  /** What is wanted of a person, in one sentence with the command; null: nothing. */
  needs: string | null;
  /** That its review failed so often that none is started any more, and what to do; null: it did not. */
  reviewsGivenUp: string | null;
  /** It has not ended: it goes on, or can be taken up again. */
  live: boolean;
  /** Its user has put it away, and nothing happened to it since. */
  dismissed: boolean;
  /** It ended badly within a week, and its user has not looked at it since. */
  unseen: boolean;
  /** Where it stands, in a few words: `reviewing, round 2 of 3`. */
  stage: string;
  /** The state it is in, as docs/states.md (or its own definition) names it; null: nobody knows. */
  state: string | null;
  progress: Progress | null;
  /** What was asked for: its topic or task; null: it is not on record. */
  asked: string | null;
  holder: Holder | null;
  /** Of its first line in the journal that was read, or as its own files say; null: nobody knows. */
  startedAt: number | null;
  /** When anything last happened to it. */
  movedAt: number | null;
  /** How it ended; null while it goes on. */
  end: RunEnd | null;
  waiting: WaitingView | null;
  /** A review or a check that runs right now. */
  work: readonly WorkView[];
  counts: RunCounts;
  /** The newest first; older ones come by paging (`View.older`). */
  stops: readonly StopView[];
  /** Everything else that happened, the newest first. */
  events: readonly EventView[];
  /** The oldest first. */
  rounds: readonly RoundView[];
  findings: FindingsView | null;
  checks: readonly CheckView[];
  /** What its checks have to say for a claim to count; null: nobody asked for checks. */
  proof: ProofView | null;
  budget: BudgetView | null;
  /** At this pace; null: nobody can tell. */
  forecast: Forecast | null;
  /** The run's own files, relative to the project, that are there. */
  files: readonly string[];
  /** Its state or its notes cannot be read: why, and what to do. */
  trouble: Trouble | null;
  /** What the workflow says beside this: as `status --json` has it. */
  detail: Readonly<Record<string, Json>>;
};

/** `of` null: there is no bound. */
export type Progress = { unit: 'iteration' | 'round' | 'review' | 'hold'; at: number; of: number | null };

/** Whose a run is. `driven`: by `holdfast run`. */
export type Holder = {
  client: string | null;
  session: string;
  /** Since when, as far as the journal was read. */
  since: number | null;
  driven: boolean;
};

export type WaitingView = {
  for: 'work' | 'person' | 'limit';
  since: number;
  /** When it is over at the latest. */
  until: number;
  /** What runs, the question, or which limit. */
  what: string;
  reviewer: string | null;
  /** In whole sentences, with what to do. */
  text: string;
};

export type WorkView = {
  attempt: string;
  kind: 'review' | 'check';
  /** `<reviewer>/<model>, plan-review 2` or the check's name. */
  name: string;
  since: number;
  deadline: number;
  /** False: the hook that ran it is gone, and the next stop takes it up. */
  alive: boolean;
  /** The last lines of its output: control codes are taken out. */
  tail: string;
};

/** As far back as the journal was read (`ProjectView.readBackTo`). */
export type RunCounts = {
  stops: number;
  held: number;
  allowed: number;
  letGo: number;
  failed: number;
  reviews: number;
  /** That were run. */
  checks: number;
  /** That were not: what an earlier one said of this very content counted. */
  receipts: number;
  usd: number;
  tokens: number;
};

/** `let-go`: the guard, or a claim refused too often. `failed`: our own error allowed it. */
export type StopKind = 'held' | 'allowed' | 'let-go' | 'waits' | 'failed';

export type StopView = {
  /** Where its line stands: `View.raw` gives it. */
  position: Position;
  at: number;
  kind: StopKind;
  /** Something moved since the last hold: the state, a file of the run, or the agent used tools. */
  moved: boolean;
  /** What was said, in short: the message's name, or the step. */
  step: string;
  /** In plain words. */
  why: string;
  /** The state it was decided in, as `RunView.state`. */
  state: string | null;
  client: string;
  session: string | null;
  milliseconds: number;
};

export type EventView = {
  position: Position;
  at: number;
  event: Exclude<JournalEntry['event'], 'stop'>;
  text: string;
};

/** `none`: it ran and gave no verdict. `not-reviewed`: nobody ran it. */
export type RoundVerdict = 'clean' | 'findings' | 'none' | 'failed' | 'running' | 'not-reviewed';

export type RoundView = {
  number: number;
  /** What it was about, where a run has several rows of rounds: `code-review, task 2`. Empty: there is one row. */
  about: string;
  reviewer: string | null;
  model: string | null;
  verdict: RoundVerdict;
  found: Readonly<Record<Severity, number>>;
  /** When it ended; null: nobody knows. */
  at: number | null;
  milliseconds: number | null;
  usd: number | null;
  /** Without what was read from a cache. */
  tokens: number | null;
  /** The review's file, relative to the project. */
  file: string | null;
  position: Position | null;
};

export type FindingView = {
  id: string;
  severity: Severity;
  round: number | null;
  by: string | null;
  review: string;
  file: string | null;
  line: number | null;
  claim: string;
  evidence: string | null;
  status: 'open' | 'fixed' | 'rejected';
  answer: string | null;
  contested: boolean;
  earlier: readonly string[];
};

export type FindingsView = {
  /** Where the docket lies, as people are shown it. */
  file: string;
  found: number;
  fixed: number;
  rejected: number;
  open: number;
  contested: number;
  list: readonly FindingView[];
};

export type CheckView = {
  name: string;
  /** The oldest first. */
  results: readonly CheckResult[];
  /** Its log, relative to the project; null: there is none. */
  log: string | null;
};

export type CheckResult = {
  at: number;
  end: 'passed' | 'failed' | 'timed-out' | 'cannot-run' | 'untrusted';
  code: number | null;
  milliseconds: number | null;
  /** It was not run: its receipt for this very content counted. */
  receipt: boolean;
  flaky: boolean;
  position: Position;
};

export type ProofView = {
  checks: readonly string[];
  untrusted: readonly string[];
  off: boolean;
  /** Claims refused in a row. */
  refusals: number;
  text: string;
};

export type BudgetView = {
  stage: 'open' | 'last-hold' | 'paused';
  limits: BudgetLimits;
  spent: { tokens: number; timeMs: number; reviews: number; usd: number; cacheRead: number };
  left: BudgetLimits;
  iterations: number;
  /** What was spent of it at each stop that was metered, the oldest first: for a burn-down. */
  burn: readonly { at: number; tokens: number; timeMs: number; reviews: number; usd: number }[];
  text: string;
};

/** `more`: iterations or rounds. */
export type Forecast = { more: number; unit: Progress['unit']; milliseconds: number | null; text: string };
