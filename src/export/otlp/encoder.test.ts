import root from 'otlp-definitions/build/src/generated/root.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readLogs, readMetrics, readTraces } from '../../../test/export/decoded.ts';
import type { SpanData } from '../emitted.ts';
import type { Encoding, Otlp } from '../encoding.ts';
import { METRICS } from '../metrics.ts';
import type { LogData } from '../of-line.ts';

let otlp: Otlp;
let encoder: Encoding;
beforeAll(async () => {
  vi.stubGlobal('HOLDFAST_VERSION', '1.2.3');
  ({ otlp } = await import('./index.ts'));
  encoder = otlp.makeEncoder('i-1', { team: 'core', 'service.version': 'mine', 'service.instance.id': 'x' });
});
afterAll(() => void vi.unstubAllGlobals());

const resource = {
  'service.name': 'holdfast',
  'service.version': 'mine',
  team: 'core',
  'service.instance.id': 'i-1',
};
const trace = 'a'.repeat(32);
const [id, parent] = ['b'.repeat(16), 'c'.repeat(16)];
const AT = Date.UTC(2026, 10, 17, 9);

describe('spans', () => {
  const span = (more: Partial<SpanData> = {}): SpanData => ({
    ...{ trace, id, parent: null, name: 'run toy', start: AT, end: AT + 1500, isCall: false },
    ...{ attributes: { a: 1, b: true, c: 'x' }, error: null },
    ...more,
  });
  const read = {
    ...{ resource, trace, id, parent: '', name: 'run toy', kind: 1, status: 0 },
    ...{ start: AT, end: AT + 1500, attributes: { a: 1, b: true, c: 'x' } },
  };

  it.each<[string, Partial<SpanData>, object]>([
    ['of a run', {}, {}],
    ['below another', { parent }, { parent }],
    ['of a call', { isCall: true }, { kind: 3 }],
    ['of what went wrong', { error: 'timeout' }, { status: 2 }],
    ['of 7 ms', { end: AT + 7 }, { end: AT + 7 }],
  ])('%s', (_, more, changed) => {
    expect(readTraces(encoder.traces([span(more)]))).toEqual([{ ...read, ...changed }]);
  });
});

it('logs', () => {
  const log: LogData = {
    ...{ time: AT + 5, event: 'holdfast.stop', severity: 9, body: 'held', attributes: { a: 'b' } },
    place: null,
  };
  const place = { trace, parent: id } as NonNullable<LogData['place']>;
  const read = {
    ...{ resource, time: AT + 5, event: 'holdfast.stop', severity: 9, body: 'held', attributes: { a: 'b' } },
  };
  expect(readLogs(encoder.logs([log, { ...log, place }], AT + 9))).toEqual([
    { ...read, trace: '', span: '' },
    { ...read, trace, span: id },
  ]);
});

describe('metrics', () => {
  const series = (
    metric: 'stops' | 'cost' | 'stopDuration',
    sum: number,
    buckets: readonly number[] = [],
  ) => ({
    ...{ metric, labels: { client: 'codex' }, count: 2, sum, buckets },
  });
  const read = {
    ...{ resource, attributes: { client: 'codex' }, temporality: 2, start: AT, time: AT + 50 },
  };

  it('are sums and histograms since they were first counted, by the names of the table', () => {
    const buckets = [1, 0, 1, ...Array.from({ length: 13 }, () => 0)];
    const table = { c: series('stopDuration', 0.1, buckets), b: series('cost', 0.25), a: series('stops', 3) };
    const bounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200];
    const sum = { count: null, bounds: [], buckets: [], isMonotonic: true };
    expect(readMetrics(encoder.metrics(table, AT, AT + 50))).toEqual([
      { ...read, ...sum, metric: 'holdfast.stops', unit: '{stop}', value: 3 },
      { ...read, ...sum, metric: 'holdfast.cost', unit: 'USD', value: 0.25 },
      {
        ...read,
        ...{ metric: 'holdfast.stop.duration', unit: 's', value: 0.1, isMonotonic: null },
        ...{ count: 2, bounds, buckets },
      },
    ]);
  });

  it('never end before they begin', () => {
    const [point] = readMetrics(encoder.metrics({ a: series('stops', 3) }, AT, AT - 50));
    expect(point).toMatchObject({ start: AT, time: AT });
  });

  it('are none of which nothing was counted', () => {
    expect(readMetrics(encoder.metrics({}, AT, AT))).toEqual([]);
  });
});

describe('what a collector shows beside the numbers', () => {
  type Definitions = {
    opentelemetry: {
      proto: {
        collector: Record<string, { v1: Record<string, { decode(bytes: Uint8Array): unknown } | undefined> }>;
      };
    };
  };
  const { collector } = (root as unknown as Definitions).opentelemetry.proto;
  const decoded = (signal: string, request: string, bytes: Uint8Array): unknown =>
    JSON.parse(JSON.stringify(collector[signal]?.v1[request]?.decode(bytes)));

  it('is whose a span is, and why it failed', () => {
    const failed = encoder.traces([
      { trace, id, parent, name: 'x', start: AT, end: AT, isCall: true, attributes: {}, error: 'timeout' },
    ]);
    expect(decoded('trace', 'ExportTraceServiceRequest', failed)).toMatchObject({
      resourceSpans: [
        { scopeSpans: [{ scope: { name: 'holdfast' }, spans: [{ status: { message: 'timeout' } }] }] },
      ],
    });
  });

  it('is when a record was sent', () => {
    const log = { time: AT, event: 'e', severity: 9, body: 'b', attributes: {}, place: null } as const;
    const request = decoded('logs', 'ExportLogsServiceRequest', encoder.logs([log], AT + 9));
    expect(request).toMatchObject({
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ observedTimeUnixNano: expect.anything() }] }] }],
    });
    expect(JSON.stringify(request)).not.toMatch(/droppedAttributesCount":[^0]/);
    const [first, later] = [9, 10].map((ms) => Buffer.from(encoder.logs([log], AT + ms)).toString('hex'));
    expect(later).not.toBe(first);
  });

  it('is what a metric says, as a whole number where it is a count', () => {
    const common = { labels: {}, count: 1, buckets: [] };
    const table = {
      a: { ...common, metric: 'stops' as const, sum: 3 },
      b: { ...common, metric: 'cost' as const, sum: 3 },
    };
    const request = decoded('metrics', 'ExportMetricsServiceRequest', encoder.metrics(table, AT, AT));
    const { stops, cost } = METRICS;
    expect(request).toMatchObject({
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                { description: stops.description, sum: { dataPoints: [{ asInt: expect.anything() }] } },
                { description: cost.description, sum: { dataPoints: [{ asDouble: 3 }] } },
              ],
            },
          ],
        },
      ],
    });
  });
});

it.each(['traces', 'logs', 'metrics'] as const)('an empty answer to %s refuses nothing', (signal) => {
  expect(otlp.readAnswer(signal, new Uint8Array())).not.toHaveProperty('partialSuccess.errorMessage');
});
