import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { appendToJournal } from '../store/journal.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { newSidecar } from '../store/records.ts';
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
