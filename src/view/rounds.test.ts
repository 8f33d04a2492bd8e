import { describe, expect, it } from 'vitest';
import type { Entry } from '../engine/docket/types.ts';
import type { ReviewEntry } from '../store/journal-lines.ts';
import type { ReviewAttempt } from '../store/records.ts';
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

const own = (found: { high: number; medium: number; low: number } | null, running = false) => ({
  ...{ number: 1, found, running, file: '/p/1.md' },
});
const shownWith = (rounds: ReturnType<typeof own>[]) => ({
  ...{ state: null, progress: null, asked: null, startedAt: null, files: [], rounds },
});

describe('a round that the workflow itself tells', () => {
  it.each([
    [{ high: 0, medium: 0, low: 0 }, 'clean'],
    [{ high: 1, medium: 1, low: 0 }, 'findings'],
    [{ high: 1, medium: 0, low: 1 }, 'findings'],
    [{ high: 0, medium: 1, low: 1 }, 'findings'],
    [{ high: 0, medium: 0, low: 1 }, 'findings'],
  ])('with %j is %s, whether or not it still runs', (found, verdict) => {
    const shown = shownWith([own(found), own(found, true)]);
    expect(roundsOf({ ...nothing, shown }).map((round) => [round.verdict, round.found])).toEqual([
      [verdict, found],
      [verdict, found],
    ]);
  });

  it('is all that is known of it', () => {
    const reviews = [{ entry: review('x-review-1.md', 'clean'), position, at: 1 }];
    expect(roundsOf({ ...nothing, reviews, shown: shownWith([own(null)]) })).toEqual([
      {
        ...{
          number: 1,
          about: '',
          reviewer: null,
          model: null,
          verdict: 'not-reviewed',
          at: null,
          usd: null,
        },
        ...{
          found: { high: 0, medium: 0, low: 0 },
          milliseconds: null,
          tokens: null,
          file: '1.md',
          position: null,
        },
      },
    ]);
  });
});

describe('a round of the journal', () => {
  it('has all that its line says, and nothing of other reviews', () => {
    const findings = [finding('a-review-2.md', 'medium'), finding('b-review-2.md', 'high')];
    const reviews = [{ entry: review('d/a-review-2.md', 'clean'), position, at: 7 }];
    expect(roundsOf({ ...nothing, reviews, findings })).toEqual([
      {
        ...{ number: 2, about: 'b', reviewer: 'r', model: null, verdict: 'findings', at: null, usd: null },
        ...{ found: { high: 1, medium: 0, low: 0 }, milliseconds: null, tokens: null },
        ...{ file: 'b-review-2.md', position: null },
      },
      {
        ...{ number: 2, about: 'a', reviewer: 'r', model: 'm', verdict: 'clean', at: 7, usd: 1 },
        ...{
          found: { high: 0, medium: 1, low: 0 },
          milliseconds: 5,
          tokens: 6,
          file: 'd/a-review-2.md',
          position,
        },
      },
    ]);
  });

  it.each([
    ['clean', 'clean'],
    ['findings', 'findings'],
    ['none', 'none'],
    ['failed', 'failed'],
    ['running', 'none'],
    [null, 'none'],
  ])('whose verdict is %s has the verdict %s', (said, verdict) => {
    const reviews = [{ entry: review('1.md', said), position, at: 1 }];
    expect(roundsOf({ ...nothing, reviews })[0]?.verdict).toBe(verdict);
  });

  it('has no tokens where its line has none', () => {
    const entry = { ...review('1.md', 'clean'), tokens: null };
    expect(roundsOf({ ...nothing, reviews: [{ entry, position, at: 1 }] })[0]?.tokens).toBeNull();
  });
});

describe('a round’s name', () => {
  it.each([
    ['task-2-review-3.md', 'task-2', 3],
    ['review-12.md', '', 12],
    ['review.md', '', 2],
    ['5.md', '', 5],
    ['plan-5.md', 'plan', 5],
    ['plan-5.md.txt', '', 2],
    ['review-1234567890.md', 'review-1', 234567890],
  ])('%s is about "%s", round %d', (file, about, number) => {
    const entries = [review('other.md', 'clean'), review(`a/b/${file}`, 'clean')];
    const reviews = entries.map((entry) => ({ entry, position, at: 1 }));
    expect(roundsOf({ ...nothing, reviews })[1]).toMatchObject({ about, number });
    const found = [finding('other.md', 'low'), finding(file, 'low'), finding(file, 'low')];
    expect(roundsOf({ ...nothing, findings: found })[1]).toMatchObject({ about, number, found: { low: 2 } });
  });
});

describe('the review that runs now', () => {
  const running: ReviewAttempt = {
    ...{
      id: 'a',
      work: 'review',
      reviewer: 'codex',
      kind: 'code-review',
      number: 4,
      file: 'd/task-1-review-4.md',
    },
    ...{ model: 'x', owner: null, deadline: 9, status: 'running', verdict: null, before: '' },
  };

  it('is the last round', () => {
    const reviews = [{ entry: review('task-1-review-3.md', 'findings'), position, at: 1 }];
    expect(roundsOf({ ...nothing, reviews, running })).toMatchObject([
      { number: 3 },
      {
        ...{ number: 4, about: 'task-1', reviewer: 'codex', model: 'x', verdict: 'running', at: null },
        ...{ found: { high: 0, medium: 0, low: 0 }, file: 'd/task-1-review-4.md', position: null },
      },
    ]);
  });

  it('is about its kind where its file says nothing', () => {
    const [round] = roundsOf({ ...nothing, running: { ...running, file: 'review-4.md' } });
    expect(round?.about).toBe('code-review');
  });
});
