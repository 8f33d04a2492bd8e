// What the exporter needs of OpenTelemetry's packages (types only). These lie in `dist/views`, outside of the plugin that
// clients copy; the exporter is given them.

import type { SpanData } from './emitted.ts';
import type { LogData } from './of-line.ts';
import type { SeriesTable } from './series.ts';
import type { Signal } from './settings.ts';

export type Encoding = {
  traces(spans: readonly SpanData[]): Uint8Array;
  logs(records: readonly LogData[], now: number): Uint8Array;
  /** All that was counted `since`, as it stands now. */
  metrics(table: SeriesTable, since: number, now: number): Uint8Array;
};

export type Otlp = {
  /** `instance`: who sends; `attributes`: of the user's own, on everything. */
  makeEncoder(instance: string, attributes: Readonly<Record<string, string>>): Encoding;
  /** What a collector answers with a yes; throws where it is no such answer. */
  readAnswer(signal: Signal, bytes: Uint8Array): { partialSuccess?: object | undefined };
};
