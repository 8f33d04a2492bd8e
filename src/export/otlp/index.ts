// OpenTelemetry's own packages, as the exporter uses them. Built into `dist/views/otlp.cjs`.

import {
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { Otlp } from '../encoding.ts';
import { Encoder } from './encoder.ts';

const SERIALIZERS = {
  traces: ProtobufTraceSerializer,
  logs: ProtobufLogsSerializer,
  metrics: ProtobufMetricsSerializer,
};

export const otlp: Otlp = {
  makeEncoder: (instance, attributes) => new Encoder(instance, attributes),
  readAnswer: (signal, bytes) => SERIALIZERS[signal].deserializeResponse(bytes),
};
