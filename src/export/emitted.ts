// What comes of one line of the journal: spans, and what is to be counted (types only).

import type { MetricName } from './metrics.ts';
import type { Place } from './runs.ts';
import type { Labels } from './series.ts';
import type { RunState } from './state.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanData = {
  trace: string;
  id: string;
  /** Null: it is a run's. */
  parent: string | null;
  name: string;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  /** It calls another program that does the work. */
  isCall: boolean;
  attributes: Attributes;
  /** What went wrong, in a word. */
  error: string | null;
};

export type Counted = readonly [metric: MetricName, value: number, labels: Labels];

/** `run`: as it stands from now on. */
export type Emitted = { spans: readonly SpanData[]; counts: readonly Counted[]; run: RunState };

/** A line about a run, with all that is needed to say what comes of it. */
export type RunLine<Entry> = {
  entry: Entry;
  key: string;
  time: number;
  place: Place;
  run: RunState;
  /** On every span and record of this line. */
  about: Attributes;
  /** On every count of this line. */
  labels: Labels;
  paths: boolean;
};
