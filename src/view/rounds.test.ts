import { expect, it } from 'vitest';
import type { Entry } from '../engine/docket/types.ts';
import type { ReviewEntry } from '../store/journal-lines.ts';
import { roundsOf } from './rounds.ts';

const review = (file: string, verdict: string | null): ReviewEntry => ({
  ...{ schema: 2, time: '', session: null, event: 'review', workflow: 'toy', run: 'a', attempt: 'x' },
  ...{ reviewer: 'r', model: 'm', file, verdict, usd: 1, milliseconds: 5 },
  tokens: { input: 1, cacheCreation: 2, cacheRead: 100, output: 3 },
});
const finding = (reviewFile: string, severity: Entry['severity']): Entry => ({
  ...{ id: 'F1', review: reviewFile, round: 1, by: 'r', severity, file: null, line: null, claim: 'c' },
  ...{ evidence: null, status: 'open', answer: null, earlier: [], others: {} },
});
const position = { segment: 1, offset: 0 };
const nothing = { root: '/p', reviews: [], findings: [], shown: null, running: null };

it('takes rounds from the journal, with what the docket has of each', () => {
  const reviews = [
    { entry: review('.taskie/plans/x/task-2-review-3.md', 'findings'), position, at: 1 },
    { entry: review('.taskie/plans/x/plan-review-1.md', 'nonsense'), position, at: 2 },
  ];
  const findings = [finding('task-2-review-3.md', 'high'), finding('task-2-review-3.md', 'low')];
  expect(roundsOf({ ...nothing, reviews, findings })).toMatchObject([
    { about: 'task-2', number: 3, verdict: 'findings', found: { high: 1, medium: 0, low: 1 }, tokens: 6 },
    { about: 'plan', number: 1, verdict: 'none', found: { high: 0 } },
  ]);
});

it('knows a round that only the docket has', () => {
  const rounds = roundsOf({ ...nothing, findings: [finding('plan-review-1.md', 'medium')] });
  expect(rounds).toMatchObject([
    { about: 'plan', number: 1, verdict: 'findings', found: { medium: 1 }, at: null },
  ]);
});

it('takes a workflow’s own rounds where the agent runs the reviewer', () => {
  const rounds = [
    { number: 1, found: { high: 0, medium: 0, low: 0 }, running: false, file: '/p/a/1.md' },
    { number: 2, found: { high: 1, medium: 0, low: 0 }, running: false, file: '/p/a/2.md' },
    { number: 3, found: null, running: true, file: '/p/a/3.md' },
    { number: 4, found: null, running: false, file: '/p/a/4.md' },
  ];
  const shown = { state: null, progress: null, asked: null, startedAt: null, files: [], rounds };
  expect(roundsOf({ ...nothing, shown }).map(({ verdict, file }) => [verdict, file])).toEqual([
    ['clean', 'a/1.md'],
    ['findings', 'a/2.md'],
    ['running', 'a/3.md'],
    ['not-reviewed', 'a/4.md'],
  ]);
});
