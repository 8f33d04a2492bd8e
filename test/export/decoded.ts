// What a collector was sent, read with OpenTelemetry's own definitions: those that its packages generated from the
// official .proto files, not the serialisers that wrote it.

import root from 'otlp-definitions/build/src/generated/root.js';

/** The parts of the definitions that are read here; the package has no types for them. */
type Definitions = {
  opentelemetry: {
    proto: {
      collector: {
        trace: {
          v1: {
            ExportTraceServiceRequest: Message<TraceRequest>;
            ExportTraceServiceResponse: Message<object>;
          };
        };
        logs: { v1: { ExportLogsServiceRequest: Message<LogsRequest> } };
        metrics: { v1: { ExportMetricsServiceRequest: Message<MetricsRequest> } };
      };
    };
  };
};
type Message<T> = { decode(bytes: Uint8Array): T; encode(message: object): { finish(): Uint8Array } };

type Resource = { resource?: { attributes?: KeyValue[] } };
type TraceRequest = { resourceSpans: (Resource & { scopeSpans: { spans: RawSpan[] }[] })[] };
type LogsRequest = { resourceLogs: (Resource & { scopeLogs: { logRecords: RawLog[] }[] })[] };
type MetricsRequest = { resourceMetrics: (Resource & { scopeMetrics: { metrics: RawMetric[] }[] })[] };

type RawSpan = {
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId: Uint8Array | null;
  name: string;
  kind: number;
  startTimeUnixNano: unknown;
  endTimeUnixNano: unknown;
  attributes: KeyValue[];
  status?: { code?: number };
};

type RawLog = {
  timeUnixNano: unknown;
  eventName?: string;
  severityNumber?: number;
  body?: AnyValue;
  traceId: Uint8Array;
  spanId: Uint8Array;
  attributes: KeyValue[];
};

type RawMetric = {
  name: string;
  unit: string;
  sum?: { dataPoints: RawPoint[]; aggregationTemporality: number; isMonotonic: boolean };
  histogram?: { dataPoints: RawPoint[]; aggregationTemporality: number };
};

type RawPoint = {
  attributes: KeyValue[];
  startTimeUnixNano: unknown;
  timeUnixNano: unknown;
  asInt?: unknown;
  asDouble?: number;
  sum?: number;
  count?: unknown;
  explicitBounds?: number[];
  bucketCounts?: unknown[];
};

type KeyValue = { key: string; value?: AnyValue | null };
type AnyValue = {
  stringValue?: string | null;
  boolValue?: boolean | null;
  intValue?: unknown;
  doubleValue?: number | null;
};

const { collector } = (root as unknown as Definitions).opentelemetry.proto;
const { ExportTraceServiceRequest, ExportTraceServiceResponse } = collector.trace.v1;
const { ExportLogsServiceRequest } = collector.logs.v1;
const { ExportMetricsServiceRequest } = collector.metrics.v1;

export type Value = string | number | boolean;
export type Attributes = Readonly<Record<string, Value>>;

export type DecodedSpan = {
  resource: Attributes;
  trace: string;
  id: string;
  parent: string;
  name: string;
  kind: number;
  /** Milliseconds. */
  start: number;
  end: number;
  attributes: Attributes;
  status: number;
};

export type DecodedLog = {
  resource: Attributes;
  time: number;
  event: string;
  severity: number;
  body: string;
  trace: string;
  span: string;
  attributes: Attributes;
};

export type DecodedPoint = {
  metric: string;
  unit: string;
  resource: Attributes;
  attributes: Attributes;
  temporality: number;
  isMonotonic: boolean | null;
  start: number;
  time: number;
  /** A sum's value, or a histogram's sum. */
  value: number;
  count: number | null;
  bounds: readonly number[];
  buckets: readonly number[];
};

export function readTraces(bytes: Uint8Array): DecodedSpan[] {
  return ExportTraceServiceRequest.decode(bytes).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...{ resource: attributesOf(resource?.attributes), attributes: attributesOf(span.attributes) },
        ...{ trace: hex(span.traceId), id: hex(span.spanId), parent: hex(span.parentSpanId) },
        ...{ name: span.name, kind: span.kind, status: span.status?.code ?? 0 },
        start: milliseconds(span.startTimeUnixNano),
        end: milliseconds(span.endTimeUnixNano),
      })),
    ),
  );
}

export function readLogs(bytes: Uint8Array): DecodedLog[] {
  return ExportLogsServiceRequest.decode(bytes).resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map((record) => ({
        ...{ resource: attributesOf(resource?.attributes), attributes: attributesOf(record.attributes) },
        ...{ trace: hex(record.traceId), span: hex(record.spanId), time: milliseconds(record.timeUnixNano) },
        event: record.eventName ?? '',
        severity: record.severityNumber ?? 0,
        body: record.body?.stringValue ?? '',
      })),
    ),
  );
}

export function readMetrics(bytes: Uint8Array): DecodedPoint[] {
  return ExportMetricsServiceRequest.decode(bytes).resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, unit, sum, histogram }) =>
        [...(sum?.dataPoints ?? []), ...(histogram?.dataPoints ?? [])].map((point) => ({
          ...{ metric: name, unit, resource: attributesOf(resource?.attributes) },
          attributes: attributesOf(point.attributes),
          temporality: sum?.aggregationTemporality ?? histogram?.aggregationTemporality ?? 0,
          isMonotonic: sum?.isMonotonic ?? null,
          start: milliseconds(point.startTimeUnixNano),
          time: milliseconds(point.timeUnixNano),
          value: Number(histogram === undefined || histogram === null ? numberIn(point) : point.sum),
          count: histogram === undefined || histogram === null ? null : Number(point.count),
          bounds: point.explicitBounds ?? [],
          buckets: (point.bucketCounts ?? []).map(Number),
        })),
      ),
    ),
  );
}

/** A collector's answer that takes all but `count`. */
export function partialAnswer(count: number, errorMessage: string): Uint8Array {
  return ExportTraceServiceResponse.encode({
    partialSuccess: { rejectedSpans: count, errorMessage },
  }).finish();
}

const numberIn = ({ asInt, asDouble }: RawPoint): unknown => asInt ?? asDouble;

function attributesOf(list: readonly KeyValue[] | undefined): Attributes {
  return Object.fromEntries((list ?? []).map(({ key, value }) => [key, plain(value ?? {})]));
}

function plain({ stringValue, boolValue, intValue, doubleValue }: AnyValue): Value {
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
}

const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

/** Through a text: nanoseconds since 1970 are more than a double can hold. */
function milliseconds(nanoseconds: unknown): number {
  return Number(BigInt(String(nanoseconds ?? 0)) / 1000n) / 1000;
}
