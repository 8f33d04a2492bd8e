// Our data as OpenTelemetry's own, in the forms that its serialisers take.

import { type HrTime, SpanKind, SpanStatusCode, TraceFlags, ValueType } from '@opentelemetry/api';
import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions/incubating';
import type { SpanData } from '../emitted.ts';
import type { Encoding } from '../encoding.ts';
import { METRICS, type Metric, type MetricName } from '../metrics.ts';
import type { LogData } from '../of-line.ts';
import type { Series, SeriesTable } from '../series.ts';

declare const HOLDFAST_VERSION: string;

const scope = { name: 'holdfast', version: HOLDFAST_VERSION };

export class Encoder implements Encoding {
  readonly #resource: Resource;

  constructor(instance: string, attributes: Readonly<Record<string, string>>) {
    this.#resource = resourceFromAttributes({
      [ATTR_SERVICE_NAME]: 'holdfast',
      [ATTR_SERVICE_VERSION]: HOLDFAST_VERSION,
      ...attributes,
      [ATTR_SERVICE_INSTANCE_ID]: instance,
    });
  }

  traces(spans: readonly SpanData[]): Uint8Array {
    return written(ProtobufTraceSerializer.serializeRequest(spans.map((span) => this.#span(span))));
  }

  logs(records: readonly LogData[], now: number): Uint8Array {
    return written(ProtobufLogsSerializer.serializeRequest(records.map((record) => this.#log(record, now))));
  }

  /** All that was counted `since`, as it stands now. */
  metrics(table: SeriesTable, since: number, now: number): Uint8Array {
    const names = Object.keys(METRICS) as MetricName[];
    const metrics = names.flatMap((name): MetricData[] => {
      const series = Object.values(table).filter((each) => each.metric === name);
      return series.length === 0
        ? []
        : [metricOf(METRICS[name], series, at(since), at(Math.max(since, now)))];
    });
    const request: ResourceMetrics = { resource: this.#resource, scopeMetrics: [{ scope, metrics }] };
    return written(ProtobufMetricsSerializer.serializeRequest(request));
  }

  #span({ trace, id, parent, name, start, end, isCall, attributes, error }: SpanData): ReadableSpan {
    return {
      name,
      kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL,
      spanContext: () => contextOf(trace, id),
      ...(parent === null ? {} : { parentSpanContext: contextOf(trace, parent) }),
      startTime: at(start),
      endTime: at(end),
      duration: at(end - start),
      status:
        error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
      attributes,
      links: [],
      events: [],
      ended: true,
      resource: this.#resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }

  #log({ time, event, severity, body, attributes, place }: LogData, now: number): ReadableLogRecord {
    return {
      hrTime: at(time),
      hrTimeObserved: at(now),
      ...(place === null ? {} : { spanContext: contextOf(place.trace, place.parent) }),
      severityNumber: severity,
      body,
      eventName: event,
      attributes,
      resource: this.#resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
    };
  }
}

function metricOf(metric: Metric, series: readonly Series[], startTime: HrTime, endTime: HrTime): MetricData {
  const { name, unit, description, kind, bounds = [] } = metric;
  const descriptor = {
    name,
    unit,
    description,
    valueType: kind === 'count' ? ValueType.INT : ValueType.DOUBLE,
  };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (kind !== 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: series.map(({ labels, sum }) => ({ startTime, endTime, attributes: labels, value: sum })),
    };
  return {
    ...common,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: series.map(({ labels, sum, count, buckets }) => ({
      ...{ startTime, endTime, attributes: labels },
      value: { buckets: { boundaries: [...bounds], counts: [...buckets] }, sum, count },
    })),
  };
}

const contextOf = (traceId: string, spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });

/** Seconds and nanoseconds; a journal's times are whole milliseconds, a duration may be less. */
function at(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.min(999_999_999, Math.round((milliseconds - seconds * 1000) * 1e6))];
}

function written(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error('OpenTelemetry’s serialiser gave nothing');
  return bytes;
}
