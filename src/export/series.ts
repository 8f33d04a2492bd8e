// What has been counted since the beginning, by metric and attributes. Sums only ever grow and are sent as they stand
// with the time since when they count: whoever gets one of them twice has counted nothing twice.

import { hasShape, isListOf, isNumber, isTableOf, isText } from '../store/shape.ts';
import { METRICS, type Metric, type MetricName } from './metrics.ts';

export type Labels = Readonly<Record<string, string>>;

/** `buckets` is empty where it is no histogram; `count` and `sum` are the same where it is a count. */
export type Series = {
  metric: MetricName;
  labels: Labels;
  count: number;
  sum: number;
  buckets: readonly number[];
};

/** By a key made of metric and labels. */
export type SeriesTable = Readonly<Record<string, Series>>;

const isMetricName = (value: unknown): value is MetricName =>
  typeof value === 'string' && Object.hasOwn(METRICS, value);

export const isSeriesTable = isTableOf(
  hasShape<Series>({
    metric: isMetricName,
    labels: isTableOf(isText),
    count: isNumber,
    sum: isNumber,
    buckets: isListOf(isNumber),
  }),
);

/** How many sets of labels a metric may have, whatever stands in a journal; what is beyond is counted in one. */
const MOST_LABEL_SETS = 200;
/** The name is OpenTelemetry's own. */
const OVERFLOW: Labels = { 'otel.metric.overflow': 'true' };

/** Nothing of ours is more; a line that says so must not make the sum a number that cannot be written down. */
const MOST_AT_ONCE = 1e12;

export class Counter {
  readonly #table: Map<string, Series>;

  constructor(table: SeriesTable) {
    this.#table = new Map(Object.entries(table));
  }

  add(metric: MetricName, value: number, labels: Labels): void {
    if (!(value >= 0)) return;
    const known = this.#find(metric, labels);
    const { kind, bounds = [] }: Metric = METRICS[metric];
    const { count, sum, buckets } = known.series;
    const amount = Math.min(kind === 'count' ? Math.floor(value) : value, MOST_AT_ONCE);
    this.#table.set(known.key, {
      ...known.series,
      count: count + 1,
      sum: Math.min(sum + amount, Number.MAX_SAFE_INTEGER),
      buckets: kind === 'histogram' ? bucketsWith(buckets, bounds, amount) : buckets,
    });
  }

  get table(): SeriesTable {
    return Object.fromEntries(this.#table);
  }

  #find(metric: MetricName, labels: Labels): { key: string; series: Series } {
    const key = keyOf(metric, labels);
    const series = this.#table.get(key);
    if (series !== undefined) return { key, series };
    const ofMetric = [...this.#table.values()].filter((each) => each.metric === metric).length;
    if (ofMetric >= MOST_LABEL_SETS && labels !== OVERFLOW) return this.#find(metric, OVERFLOW);
    return { key, series: { metric, labels, count: 0, sum: 0, buckets: [] } };
  }
}

function keyOf(metric: MetricName, labels: Labels): string {
  return JSON.stringify([metric, ...Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** The last one has what is above all bounds. */
function bucketsWith(known: readonly number[], bounds: readonly number[], value: number): number[] {
  const above = bounds.findIndex((bound) => value <= bound);
  const index = above === -1 ? bounds.length : above;
  return Array.from({ length: bounds.length + 1 }, (_, at) => (known[at] ?? 0) + (at === index ? 1 : 0));
}
