// The dashboard and the files of docs/fleet are true: each query is about a metric and labels that are really sent, and
// each file is of its format.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { METRICS } from '../../src/export/metrics.ts';
import type { DecodedPoint } from './decoded.ts';
import { cancel, end, review, start, stop, wait, work } from './lines.ts';
import { scene } from './scene.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');
const read = (file: string): string => fs.readFileSync(path.join(docs, file), 'utf8');
const dashboard = JSON.parse(read('fleet/dashboard.json'));

let points: readonly DecodedPoint[] = [];

/** One line at least for each metric. */
beforeAll(async () => {
  const made = await scene();
  const about = { attempt: 'c1', work: 'check', name: 'test' };
  made.journal(
    ...[start(0), stop(1), stop(2, 'allow', { error: 'Refused: x' }), review(3), 'torn\n'],
    ...[work(4, { ...about, what: 'ended', end: 'passed', code: 0, milliseconds: 10 })],
    ...[wait(5, 'began'), wait(6, 'ended'), end(7, 'released'), start(8), cancel(9)],
  );
  expect(await made.export()).toMatchObject({ exitCode: 0, stderr: '' });
  points = made.collector.points;
});

/** As Prometheus names what comes by OTLP. */
function prometheusNames({ metric, unit, count }: DecodedPoint): string[] {
  const units: Readonly<Record<string, string>> = { s: '_seconds', USD: '_USD' };
  const name = `${metric.replaceAll('.', '_')}${units[unit] ?? ''}`;
  return count === null ? [`${name}_total`] : ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`);
}

const queries: string[] = [
  ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ),
  ...dashboard.templating.list.flatMap(({ type, query }: { type: string; query: string }) =>
    type === 'query' ? query : [],
  ),
];

it('every metric of the table is sent', () => {
  const sent = new Set(points.map(({ metric }) => metric));
  expect(
    Object.values(METRICS)
      .map(({ name }) => name)
      .filter((name) => !sent.has(name)),
  ).toEqual([]);
});

it.each(queries)('%s names what is sent', (query) => {
  const names = query.match(/\b(?:holdfast|gen_ai)_\w+_(?:total|bucket|sum|count)\b/g) ?? [];
  expect(names).not.toEqual([]);
  for (const name of names) {
    const of = points.filter((point) => prometheusNames(point).includes(name));
    expect(of, name).not.toEqual([]);
    const labels = new Set(
      of.flatMap(({ attributes }) => Object.keys(attributes).map((key) => key.replaceAll('.', '_'))),
    );
    const used = [...query.matchAll(/\b((?:holdfast|gen_ai)_\w+)\b/g)]
      .map(([, used = '']) => used)
      .filter((used) => used !== name);
    for (const label of used) expect([...labels], `${label} in ${query}`).toContain(label);
  }
});

it('no panel is without a query or over another', () => {
  const taken = new Set<string>();
  for (const { id, targets, gridPos } of dashboard.panels) {
    expect(targets.length, `panel ${id}`).toBeGreaterThan(0);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.has(`${x} ${y}`), `panel ${id}`).toBe(false);
        taken.add(`${x} ${y}`);
      }
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  }
});

it('the table of docs/fleet.md has every metric, and no other', () => {
  const named = [...read('fleet.md').matchAll(/`((?:holdfast|gen_ai)\.[a-z_.]+)`/g)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(
    Object.values(METRICS)
      .map(({ name }) => name)
      .sort(),
  );
});

it.each(['compose.yaml', 'collector.yaml', 'tempo.yaml'])('fleet/%s is YAML', (file) => {
  const document = parseDocument(read(`fleet/${file}`), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
});

it('the collector’s pipelines name only what it has, and compose mounts files that are there', () => {
  const config = parseDocument(read('fleet/collector.yaml')).toJS();
  for (const [signal, pipeline] of Object.entries<Record<string, string[]>>(config.service.pipelines))
    for (const kind of ['receivers', 'processors', 'exporters'])
      for (const name of pipeline[kind] ?? [])
        expect(Object.keys(config[kind]), `${signal} ${kind}`).toContain(name);
  const { services, volumes } = parseDocument(read('fleet/compose.yaml')).toJS();
  for (const { volumes: mounts = [] } of Object.values<{ volumes?: string[] }>(services))
    for (const mount of mounts) {
      const [from = ''] = mount.split(':');
      expect(
        from.startsWith('./') ? fs.existsSync(path.join(docs, 'fleet', from)) : from in volumes,
        mount,
      ).toBe(true);
    }
});
