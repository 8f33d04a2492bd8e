import { describe, expect, it } from 'vitest';
import { METRICS } from './metrics.ts';
import { Counter, isSeriesTable } from './series.ts';

const only = (counter: Counter) => Object.values(counter.table);

describe('what is counted', () => {
  it('adds up by metric and labels, whatever their order', () => {
    const counter = new Counter({});
    counter.add('stops', 1, { a: '1', b: '2' });
    counter.add('stops', 2, { b: '2', a: '1' });
    counter.add('stops', 4, { a: '2' });
    counter.add('holds', 8, { a: '2' });
    expect(only(counter)).toEqual([
      { metric: 'stops', labels: { a: '1', b: '2' }, count: 2, sum: 3, buckets: [] },
      { metric: 'stops', labels: { a: '2' }, count: 1, sum: 4, buckets: [] },
      { metric: 'holds', labels: { a: '2' }, count: 1, sum: 8, buckets: [] },
    ]);
  });

  it('goes on from where it stood, and leaves that as it was', () => {
    const first = new Counter({});
    first.add('stops', 1, {});
    const before = first.table;
    const second = new Counter(before);
    second.add('stops', 1, {});
    expect(only(second)).toMatchObject([{ count: 2, sum: 2 }]);
    expect(Object.values(before)).toMatchObject([{ count: 1, sum: 1 }]);
  });

  it.each([Number.NaN, -1, -0.5])('is nothing where it is no amount: %s', (value) => {
    const counter = new Counter({});
    counter.add('stops', value, {});
    expect(counter.table).toEqual({});
  });

  it('may be nothing at all', () => {
    const counter = new Counter({});
    counter.add('stops', 0, {});
    expect(only(counter)).toMatchObject([{ count: 1, sum: 0 }]);
  });

  it('is whole where it is a count, and a part where it is an amount', () => {
    const counter = new Counter({});
    counter.add('tokens', 2.9, {});
    counter.add('cost', 2.9, {});
    expect(only(counter)).toMatchObject([{ sum: 2 }, { sum: 2.9 }]);
  });

  it('is never more than can be written down', () => {
    const counter = new Counter({});
    counter.add('cost', 1e13, {});
    expect(only(counter)).toMatchObject([{ sum: 1e12 }]);
    const full = new Counter({ k: { metric: 'cost', labels: {}, count: 1, sum: 0, buckets: [] } });
    full.add('cost', Number.POSITIVE_INFINITY, { a: '1' });
    const near = {
      metric: 'cost',
      labels: {},
      count: 1,
      sum: Number.MAX_SAFE_INTEGER - 1,
      buckets: [],
    } as const;
    const most = new Counter({ '["cost"]': near });
    most.add('cost', 5, {});
    expect(only(most)).toMatchObject([{ sum: Number.MAX_SAFE_INTEGER, count: 2 }]);
  });

  it('lies in the bucket whose bound it does not pass, or in the last one', () => {
    const counter = new Counter({});
    const { bounds } = METRICS.stopDuration;
    counter.add('stopDuration', 0.025, {});
    counter.add('stopDuration', 0.026, {});
    counter.add('stopDuration', 0, {});
    counter.add('stopDuration', 1200, {});
    counter.add('stopDuration', 1201, {});
    const [series] = only(counter);
    expect(series?.buckets).toHaveLength(bounds.length + 1);
    expect(series?.buckets.slice(0, 3)).toEqual([2, 1, 0]);
    expect(series?.buckets.slice(-2)).toEqual([1, 1]);
    expect(series?.count).toBe(5);
  });

  it('has at most two hundred sets of labels; what is beyond is counted in one', () => {
    const counter = new Counter({});
    for (let index = 0; index < 202; index++) counter.add('stops', 1, { run: String(index) });
    counter.add('stops', 1, { run: '0' });
    counter.add('holds', 1, { run: '0' });
    const stops = only(counter).filter(({ metric }) => metric === 'stops');
    expect(stops).toHaveLength(201);
    expect(stops.at(-1)).toEqual({
      ...{ metric: 'stops', labels: { 'otel.metric.overflow': 'true' }, count: 2, sum: 2, buckets: [] },
    });
    expect(stops[0]).toMatchObject({ labels: { run: '0' }, count: 2 });
    expect(only(counter).at(-1)).toMatchObject({ metric: 'holds', labels: { run: '0' } });
  });
});

describe('a table of series as it is read', () => {
  const series = { metric: 'stops', labels: { a: 'b' }, count: 1, sum: 1, buckets: [1] };

  it.each([
    [{ k: series }, true],
    [{}, true],
    [{ k: { ...series, metric: 'toString' } }, false],
    [{ k: { ...series, metric: 7 } }, false],
    [{ k: { ...series, labels: { a: 1 } } }, false],
    [{ k: { ...series, count: '1' } }, false],
    [{ k: { ...series, sum: null } }, false],
    [{ k: { ...series, buckets: ['1'] } }, false],
    [[], false],
    [null, false],
  ])('%j: %s', (table, isOne) => expect(isSeriesTable(table)).toBe(isOne));
});

it('the metrics are those that are known, with the bounds that are known', () => {
  const { stopDuration, checkDuration, operationDuration, tokenUsage } = METRICS;
  const stops = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200];
  expect([stopDuration.bounds, checkDuration.bounds]).toEqual([stops, stops]);
  expect(operationDuration.bounds).toEqual(Array.from({ length: 14 }, (_, index) => 2 ** index / 100));
  expect(tokenUsage.bounds).toEqual(Array.from({ length: 14 }, (_, index) => 4 ** index));
  const all = Object.values(METRICS).map(({ name, unit, kind }) => `${name} ${unit} ${kind}`);
  expect(all).toEqual([
    'holdfast.stops {stop} count',
    'holdfast.holds {hold} count',
    'holdfast.releases {run} count',
    'holdfast.runs.started {run} count',
    'holdfast.runs.ended {run} count',
    'holdfast.verdicts {verdict} count',
    'holdfast.findings {finding} count',
    'holdfast.checks {check} count',
    'holdfast.waits {wait} count',
    'holdfast.errors {error} count',
    'holdfast.journal.unreadable {line} count',
    'holdfast.tokens {token} count',
    'holdfast.cost USD amount',
    'holdfast.stop.duration s histogram',
    'holdfast.check.duration s histogram',
    'gen_ai.client.operation.duration s histogram',
    'gen_ai.client.token.usage {token} histogram',
  ]);
});
