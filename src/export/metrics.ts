// The metrics that are sent: one table, which the dashboard and docs/fleet.md are checked against.

import {
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
} from '@opentelemetry/semantic-conventions/incubating';

export type MetricKind = 'count' | 'amount' | 'histogram';

export type Metric = {
  name: string;
  /** As UCUM writes it. */
  unit: string;
  description: string;
  kind: MetricKind;
  /** A histogram's upper bounds. */
  bounds?: readonly number[];
};

/** As the semantic conventions have them. */
const OPERATION_SECONDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

/** A stop without work takes a twentieth of a second; one with a review may take many minutes. */
const STOP_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200];

export const METRICS = {
  stops: count('holdfast.stops', '{stop}', 'Stops that were answered, by answer'),
  holds: count('holdfast.holds', '{hold}', 'Stops that were held'),
  releases: count('holdfast.releases', '{run}', 'Runs that were let go without being done: no progress'),
  started: count('holdfast.runs.started', '{run}', 'Runs that were started'),
  ended: count(
    'holdfast.runs.ended',
    '{run}',
    'Runs that ended, by outcome and by what their claim was worth',
  ),
  verdicts: count('holdfast.verdicts', '{verdict}', 'Reviews that ended, by verdict'),
  findings: count('holdfast.findings', '{finding}', 'Findings of reviews, by severity'),
  checks: count('holdfast.checks', '{check}', 'Checks that ran or whose receipt counted, by how they ended'),
  waits: count('holdfast.waits', '{wait}', 'Waits that are over, by what was waited for'),
  errors: count(
    'holdfast.errors',
    '{error}',
    'Stops that were allowed because of an error of Holdfast itself',
  ),
  unreadable: count('holdfast.journal.unreadable', '{line}', 'Lines of journals that could not be read'),
  tokens: count('holdfast.tokens', '{token}', 'Tokens used, by type and by who used them'),
  cost: {
    name: 'holdfast.cost',
    unit: 'USD',
    description: 'What reviews cost, as far as their programs say',
    kind: 'amount',
  },
  stopDuration: {
    name: 'holdfast.stop.duration',
    unit: 's',
    description: 'How long stops took to be answered, with the work that was done in them',
    kind: 'histogram',
    bounds: STOP_SECONDS,
  },
  checkDuration: {
    name: 'holdfast.check.duration',
    unit: 's',
    description: 'How long checks ran',
    kind: 'histogram',
    bounds: STOP_SECONDS,
  },
  operationDuration: {
    name: METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
    unit: 's',
    description: 'How long reviewers took',
    kind: 'histogram',
    bounds: OPERATION_SECONDS,
  },
  tokenUsage: {
    name: METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
    unit: '{token}',
    description: 'Tokens of each review',
    kind: 'histogram',
    bounds: TOKENS,
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

function count(name: string, unit: string, description: string): Metric {
  return { name, unit, description, kind: 'count' };
}
