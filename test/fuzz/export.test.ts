// Journals that somebody filled for us: whatever stands in them, what comes of it can be sent, says nothing but plain
// words, and counts no line twice.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect, type Wanted } from '../../src/export/collect.ts';
import type { Otlp } from '../../src/export/encoding.ts';
import type { ExportState } from '../../src/export/state.ts';
import { readLogs, readMetrics, readTraces } from '../export/decoded.ts';
import { end, review, start, stop, wait, work } from '../export/lines.ts';
import { brokenText, RUNS, SEED } from './broken.ts';
import { journals } from './corpus.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-'));
const file = path.join(root, '.holdfast/journal.jsonl');
beforeAll(() => fs.mkdirSync(path.dirname(file)));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const sender = { instance: 'i', secret: 's' };
const nothing: ExportState = { schema: 1, since: 1_700_000_000_000, journals: {}, series: {} };
const wanted: Wanted = { sender, roots: [root], since: null, paths: false, lines: 10_000 };

const check = { attempt: 'c1', work: 'check', name: 'test' };
const sound = [
  ...journals,
  ...[start(0), stop(1), review(2), end(3, 'completed'), wait(4, 'began'), wait(5, 'ended')].map((each) =>
    JSON.stringify(each),
  ),
  JSON.stringify(work(6, { ...check, what: 'began', deadline: null })),
  JSON.stringify(work(7, { ...check, what: 'ended', end: 'passed', code: 0, milliseconds: 5 })),
];

const built: { otlp: Otlp } = await import(path.resolve(import.meta.dirname, '../../dist/views/otlp.cjs'));
const encoder = built.otlp.makeEncoder('i', {});

const WORD = /^[\w.:@+[\]/ -]{1,300}$/;

test('any journal', () => {
  const lines = fc.array(brokenText(sound), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, (texts) => {
      fs.writeFileSync(file, `${texts.join('\n')}\n`);
      const batch = collect(nothing, wanted);
      const spans = readTraces(encoder.traces(batch.spans));
      const logs = readLogs(encoder.logs(batch.logs, Date.now()));
      const points = readMetrics(encoder.metrics(batch.next.series, nothing.since, Date.now()));
      expect(logs).toHaveLength(batch.logs.length);
      expect(new Set(logs.map(({ attributes }) => attributes['log.record.uid'])).size).toBe(logs.length);
      expect(new Set(spans.map(({ trace, id }) => trace + id)).size).toBe(spans.length);
      for (const { start: began, end: ended } of spans) expect(ended).toBeGreaterThanOrEqual(began);
      for (const { attributes, name } of [...spans, ...logs.map((log) => ({ ...log, name: log.body }))])
        for (const value of [name, ...Object.values(attributes)])
          expect(String(value).replaceAll(',', '')).toMatch(WORD);
      for (const { value } of points) expect(Number.isFinite(value) && value >= 0).toBe(true);
      // What was written down is read again as it was, and nothing is new then.
      const kept: ExportState = JSON.parse(JSON.stringify(batch.next));
      expect(kept).toEqual(batch.next);
      expect(collect(kept, wanted).lines).toBe(0);
    }),
    { numRuns: Math.ceil(RUNS / 10), seed: SEED },
  );
});

test('line by line it comes to the same as in one go', () => {
  const lines = fc.array(brokenText(sound), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 4 }), (texts, size) => {
      fs.writeFileSync(file, `${texts.join('\n')}\n`);
      const whole = collect(nothing, wanted);
      let state = nothing;
      const ids: unknown[] = [];
      for (;;) {
        const batch = collect(state, { ...wanted, lines: size });
        if (batch.lines === 0) break;
        state = JSON.parse(JSON.stringify(batch.next));
        ids.push(...batch.spans.map(({ trace, id }) => trace + id));
      }
      expect(state.series).toEqual(whole.next.series);
      expect(ids).toEqual(whole.spans.map(({ trace, id }) => trace + id));
    }),
    { numRuns: Math.ceil(RUNS / 20), seed: SEED },
  );
});
