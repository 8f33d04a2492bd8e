// What a run may spend, what it has spent, and what is remembered to count nothing twice (types only).

import type { BudgetLimits, Waiting } from '../../store/records.ts';

export type Limits = BudgetLimits;

export type Spent = {
  tokens: number;
  /** Read from the cache: shown, never counted against the budget. */
  cacheRead: number;
  timeMs: number;
  reviews: number;
  usd: number;
};

/** `last-hold`: the one hold that says that it is spent was given. Only a person brings a paused run back. */
export type Stage = 'open' | 'last-hold' | 'paused';

/** What a stop would do next: a hold, or a review, which a budget of reviews is about. */
export type Due = 'hold' | 'review';

/** Why the run's own clock stands still since then, as a wait; null: it does not. */
export type Still = Pick<Waiting, 'for' | 'since' | 'until' | 'reviewer'>;

export type Budget = {
  schema: 1;
  run: string;
  root: string;
  /** Milliseconds, as all times here. What was used before counts for nothing. */
  startedAt: number;
  limits: Limits;
  spent: Spent;
  stage: Stage;
  /** What was due when it was spent: only a review is kept back by spent reviews. */
  due: Due;
  pausedAt: number | null;
  /** How many there were, for the pace. */
  holds: number;
  clock: Clock;
  meter: Meter;
  /** The last reviews that were counted: none is counted twice. */
  reviewed: readonly string[];
  /** What the driver reported last of each session, since clients report money as a total. */
  money: Readonly<Record<string, number>>;
  /** What was granted and is to be named in the next notice. Left out: nothing. */
  granted?: readonly Grant[] | undefined;
};

export type Grant = { at: number; by: string; more: Limits };

export type Clock = {
  /** Up to then the time is counted. */
  at: number;
  /** The agent was let go: no span is open since then. Null: one is. */
  still: Still | null;
  /** A prompt begins the next span. Left out: another run of the session is the one held, until this one is served. */
  wakes?: true | undefined;
  /** What is known since `at` beside the transcript: turns that failed, the driver's starts and ends of the client. */
  marks?: readonly (Mark & { kind: 'begins' | 'ends' })[] | undefined;
  /** The last stop: whose it was, which prompt's, and where its transcript is. */
  from?:
    | { client: string; session: string | null; turn: string | null; transcript: string | null }
    | undefined;
  /** The transcript has no times, so hours count from stop to stop. */
  byStops?: true | undefined;
};

/** A moment of a client's work. */
export type Mark = { at: number } /** A prompt, or a start. */ & (
  | { kind: 'begins' }
  /** The agent goes on, or begins if nothing is open. */
  | { kind: 'holds' }
  /** A row of the agent's own, with the calls that it opens, and the results of such. */
  | { kind: 'works'; calls: readonly string[] }
  | { kind: 'results'; ids: readonly string[] }
  | { kind: 'ends' }
);

export type Meter = {
  /** Whose files the places are in; null: none was read yet. */
  session: string | null;
  /** Lines up to then are not the run's: they are from before its start, or from before it came to this session. */
  since: number;
  /** False: another run of the session was the one held, so what is used goes to that one. */
  isHeld: boolean;
  /** Times at which the run was paused: what the session used then is not the run's. */
  pauses: readonly Pause[];
  files: Readonly<Record<string, FilePlace>>;
  /** The last messages that were counted, and with how much: a client writes a line for each of a message's parts. */
  seen: readonly SeenMessage[];
};

/** Lines after `from`, up to `to`. */
export type Pause = { from: number; to: number };

export type FilePlace = {
  inode: number;
  /** Up to here it was read, and when to its end: of another file in its place only what is newer is new. */
  offset: number;
  at: number;
  /** The last total in it, where the client writes totals. */
  total: Used | null;
};

export type Used = { tokens: number; cacheRead: number };

export type SeenMessage = { id: string } & Used;
