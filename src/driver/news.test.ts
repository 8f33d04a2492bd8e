import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { appendToJournal } from '../store/journal.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { type Attempt, newSidecar } from '../store/records.ts';
import { News } from './news.ts';
import type { Report, Said } from './report.ts';
import type { Seen } from './standing.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-news-'));
fs.mkdirSync(path.join(root, '.holdfast'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const NOW = Date.parse('2026-11-17T12:00:00.000Z');

const HOLD: StopEntry = {
  ...{ schema: 2, time: '2026-11-17T12:00:01.000Z', session: 's', event: 'stop', client: 'claude-code' },
  ...{ turn: null, workflow: 'idle', run: 'a', state: null, facts: null, guard: null, step: null },
  ...{ answer: 'hold', notice: false, error: null, milliseconds: 1 },
};

const at = (stage: string): Seen => ({
  ...{ stand: { kind: 'active' }, stage, mark: '', busy: false, sidecar: newSidecar('idle:a') },
});

it('a stop that comes while the run is looked at is reported with the stage that it brought, at the next look', () => {
  const said: Said[] = [];
  const report: Report = { say: (each) => void said.push(each), now: () => {} };
  const news = new News(report, root, NOW);
  // The run was looked at a moment before the stop was written down.
  const before = news.look('idle:a', () => {
    appendToJournal(root, HOLD);
    return at('iteration 0');
  });
  expect(before.stage).toBe('iteration 0');
  expect(said).toEqual([]);
  news.look('idle:a', () => at('iteration 1'));
  expect(said).toEqual([{ event: 'stop', answer: 'hold', stage: 'iteration 1', why: '' }]);
  news.look('idle:a', () => at('iteration 1'));
  expect(said).toHaveLength(1);
});

/** What is said of these stops, in a project of their own. */
function saidOf(stops: readonly Partial<StopEntry>[], run: string | null = 'idle:a'): Said[] {
  const folder = fs.mkdtempSync(path.join(root, 'project-'));
  fs.mkdirSync(path.join(folder, '.holdfast'));
  for (const stop of stops) appendToJournal(folder, { ...HOLD, ...stop });
  const said: Said[] = [];
  const report: Report = { say: (each) => void said.push(each), now: () => {} };
  new News(report, folder, NOW).look(run, () => at('here'));
  return said;
}
const whys = (...stops: readonly Partial<StopEntry>[]): string[] =>
  saidOf(stops).map((said) => (said.event === 'stop' ? said.why : said.event));

it.each([
  [{ step: { kind: 'hold', message: { name: 'iteration' } } }, 'iteration'],
  [{ step: { kind: 'allow', notice: { name: 'done' } } }, 'done'],
  [{ step: { message: { name: 'first' }, notice: { name: 'second' } } }, 'first'],
  [{ step: { message: { name: 7 } } }, ''],
  [{ step: { message: {} } }, ''],
  [{ step: { message: 'words' } }, ''],
  [{ step: { message: null } }, ''],
  [{ step: [1] }, ''],
  [{ step: 'words' }, ''],
  [{ step: null }, ''],
  [{ step: { message: { name: 'iteration' } }, error: 'Error: x' }, 'an error of our own'],
] as const)('a stop is reported by the name of what was said: %j', (stop, why) => {
  expect(whys(stop as Partial<StopEntry>)).toEqual([why]);
});

it('stops are reported in their order, those of others and from before are not', () => {
  const named = (time: string, name: string, more: Partial<StopEntry> = {}): Partial<StopEntry> => ({
    ...{ time: `2026-11-17T12:00:0${time}Z`, step: { message: { name } } },
    ...more,
  });
  expect(
    whys(
      { ...named('0.000', 'before'), time: '2026-11-17T11:59:59.999Z' },
      named('0.000', 'now'),
      named('1.000', 'one'),
      named('1.000', 'other-session', { session: 't' }),
      named('1.000', 'other-answer', { answer: 'allow' }),
      named('1.000', 'twice'),
      named('2.000', 'of-another-run', { run: 'b' }),
      named('2.000', 'of-another-workflow', { workflow: 'flow' }),
      named('2.000', 'of-no-run', { workflow: null, run: null }),
      named('3.000', 'three'),
    ),
  ).toEqual(['now', 'other-session', 'other-answer', 'twice', 'three']);
  expect(saidOf([named('1.000', 'one')], null)).toEqual([]);
});

it('work is reported when it changes, and no more once it is gone', () => {
  const said: Said[] = [];
  const news = new News({ say: (each) => void said.push(each), now: () => {} }, root, NOW + 86_400_000);
  const look = (...attempts: readonly Attempt[]): Said[] => {
    said.length = 0;
    news.look('idle:a', () => ({ ...at('here'), sidecar: { ...newSidecar('idle:a'), attempts } }));
    return [...said];
  };
  const review = (status: Attempt['status']): Attempt => ({
    ...{ id: 'r1', work: 'review', reviewer: 'codex', kind: 'plan', number: 2, file: 'r.md', model: 'm' },
    ...{ owner: null, deadline: 0, status, verdict: null, before: '' },
  });
  const check: Attempt = {
    ...{
      id: 'c1',
      work: 'check',
      check: 'unit',
      definition: 'd',
      owner: null,
      deadline: 0,
      status: 'running',
    },
  };
  expect(look(review('running'), check)).toEqual([
    { event: 'work', what: 'review', name: 'plan 2', status: 'runs' },
    { event: 'work', what: 'check', name: 'unit', status: 'runs' },
  ]);
  expect(look(review('running'), check)).toEqual([]);
  expect(look(review('done'))).toEqual([{ event: 'work', what: 'review', name: 'plan 2', status: 'done' }]);
  expect(look(review('done'), check)).toEqual([
    { event: 'work', what: 'check', name: 'unit', status: 'runs' },
  ]);
});
