// How a run stands, or how it ended: the one place that tells, for the page, watch, status, the line, the report, the log
// and `holdfast run`. Pure, and without imports but types: it runs in browsers, too.

import type { Outcome, Worth } from '../store/journal-lines.ts';
import type { Progress } from './model.ts';

/** In the order in which runs are shown. */
export const RUN_STATES = [
  /** A question, a decision or a login is a person's. */
  'needs-you',
  /** A stage that a person starts. */
  'your-turn',
  /** Its budget is spent, it went stale, or what drove it ended: `holdfast resume` goes on with it. */
  'paused',
  'running',
  'waiting',
  /** Armed, and no session has taken it up. */
  'not-started',
  'ended',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** `unknown`: how is not on record. */
export type EndKind =
  | 'proven'
  | 'unproven'
  | 'done'
  | 'cancelled'
  | 'released'
  | 'limit'
  | 'stuck'
  | 'budget'
  | 'unknown';

export type RunEnd = {
  kind: EndKind;
  at: number | null;
  /** Why it is unproven, or released, in a few words each. */
  why: readonly string[];
  /** `by a person`, `in session 0b5d6c1e`: who cancelled it; null: not on record, or it was not cancelled. */
  by: string | null;
  /** The checks that proved it, as far as they are on record. */
  checks: readonly string[];
};

/** Green is `good` alone, and `good` is proven alone. */
export type Tone = 'good' | 'attention' | 'active' | 'bad' | 'quiet';

export type Standing = { status: RunState; end: RunEnd | null };

/** `needs you`, `running`; of a run that ended, how: `proven`, `unproven`, `cancelled`. */
export function labelOf({ status, end }: Standing): string {
  return end === null ? STATE_WORDS[status] : END_LABELS[end.kind];
}

export const STATE_WORDS: Readonly<Record<RunState, string>> = {
  'needs-you': 'needs you',
  'your-turn': 'your turn',
  paused: 'paused',
  running: 'running',
  waiting: 'waiting',
  'not-started': 'not started',
  ended: 'ended',
};

export const END_LABELS: Readonly<Record<EndKind, string>> = {
  proven: 'proven',
  unproven: 'unproven',
  done: 'done',
  cancelled: 'cancelled',
  released: 'released',
  limit: 'limit reached',
  stuck: 'stuck',
  budget: 'budget spent',
  unknown: 'ended',
};

/** `done, unproven (test failed)`, `cancelled by a person`: whole, without a full stop. */
export function describeEnd({ kind, why, by, checks }: RunEnd): string {
  const reasons = why.length === 0 ? '' : ` (${why.join(', ')})`;
  switch (kind) {
    case 'proven':
      return checks.length === 0 ? 'done and proven' : `done and proven by ${listed(checks)}`;
    case 'unproven':
      return `done, unproven${reasons}`;
    case 'done':
      return 'done, nothing to prove it';
    case 'cancelled':
      return by === null ? 'cancelled' : `cancelled ${by}`;
    case 'released':
      return `released${reasons}`;
    case 'limit':
      return 'ended at its limit';
    case 'stuck':
      return 'ended: the agent was stuck';
    case 'budget':
      return 'ended: its budget is spent';
    case 'unknown':
      return `ended, how is not on record${reasons}`;
  }
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export function toneOf({ status, end }: Standing): Tone {
  if (end !== null) return end.kind === 'proven' ? 'good' : isBad(end) ? 'bad' : 'quiet';
  switch (status) {
    case 'needs-you':
    case 'your-turn':
    case 'paused':
      return 'attention';
    case 'running':
      return 'active';
    case 'waiting':
    case 'not-started':
    case 'ended':
      return 'quiet';
  }
}

/** It did not come to what it was started for, and no person ended it. */
export function isBad({ kind }: Pick<RunEnd, 'kind'>): boolean {
  return ['unproven', 'released', 'limit', 'stuck', 'budget'].includes(kind);
}

/** As the journal, a workflow's own files or the driver have it. `why`: in words. */
export type RecordedEnd = {
  outcome: Outcome | null;
  at: number | null;
  worth: Worth | null;
  why: readonly string[];
  by?: string | null;
  checks?: readonly string[];
};

export const REFUSED = 'its claim was refused too often';

export function endFrom({ outcome, at, worth, why, by = null, checks = [] }: RecordedEnd): RunEnd {
  const end = { at, why: [], by: null, checks: [] };
  // A claim that stood ends a run, also where its end says no more.
  switch (outcome ?? (worth === null ? null : 'completed')) {
    case 'completed':
      if (worth === 'unproven') return { ...end, kind: 'unproven', why };
      return worth === 'proven' ? { ...end, kind: 'proven', checks } : { ...end, kind: 'done' };
    case 'cancelled':
      return { ...end, kind: 'cancelled', by };
    case 'released':
      return { ...end, kind: 'released', why: [worth === 'unproven' ? REFUSED : 'no progress'] };
    case 'limit':
      return { ...end, kind: 'limit' };
    case 'stuck':
      return { ...end, kind: 'stuck' };
    case 'paused':
      return { ...end, kind: 'budget' };
    case null:
      return { ...end, kind: 'unknown', why };
  }
}

/**
 * How near it is to its bound, which is where it has to end and not its goal. Null: `beside`, which stands next to it, says
 * it already, as `ITERATION 3/10` does.
 */
export function boundInWords({ unit, at, of }: Progress, beside: string): string | null {
  if (new RegExp(`${unit} ${at}\\b`, 'i').test(beside)) return null;
  return of === null ? `${unit} ${at}` : `${unit} ${at} of at most ${of}`;
}
