// For the exporter inside a test's process: a collector that is closed with the test, and JSON in the place of
// OpenTelemetry's own forms.

import { onTestFinished, vi } from 'vitest';
import type { Otlp } from '../../src/export/encoding.ts';
import { Collector, type Received, type Reply } from './collector.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export const asJson: Otlp = {
  makeEncoder: (instance, attributes) => ({
    traces: (spans) => bytes({ instance, attributes, spans }),
    logs: (logs) => bytes({ logs }),
    metrics: (table, since) => bytes({ series: Object.values(table), since }),
  }),
  readAnswer: (_, said) => JSON.parse(Buffer.from(said).toString('utf8')),
};

/** Answers with an empty yes, unless more is said. */
export async function collector(
  replies: (received: Received, number: number) => Partial<Reply> | 'hang' = () => ({}),
): Promise<{ asked: Collector['asked']; base: string }> {
  const opened = await Collector.open((received, number) => {
    const reply = replies(received, number);
    return reply === 'hang' ? reply : { status: 200, ...reply };
  });
  onTestFinished(() => opened.close());
  return { asked: opened.asked, base: opened.url };
}

/** The build puts it in. */
export function withVersion(): void {
  vi.stubGlobal('HOLDFAST_VERSION', '9.9.9');
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
}
