import fs from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { type ReviewReport, readReportAgain } from './report.ts';
import { findingsOf, listedBy, reportOf, spendOf } from './report-of.ts';

const BEGUN = 1_000_000;
const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'critic', kind: 'k', number: 4, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now', begun: BEGUN },
};
const finding = { severity: 'high', file: null, line: null, claim: 'x', evidence: null } as const;
const findings = { list: [finding, { ...finding, severity: 'low' as const }], cut: 0 };
const spend = { usd: 2, tokens: null };
const plain: Reviewer = {
  ...{ name: 'critic', call: () => ({ program: 'critic', args: [], env: {} }), readVerdict: () => 'clean' },
};
const critic: Reviewer = {
  ...plain,
  readFindings: (stdout) => (stdout === 'printed' ? findings : null),
  readSpend: (stdout) => (stdout === 'printed' ? spend : null),
};
const nothing: ReviewReport = {
  ...{ attempt: 'a1', findings: null, listed: null, spend: null, milliseconds: null, journaled: false },
};
const listed = { high: 1, medium: 0, low: 1 };
const everything = { ...nothing, findings, listed, spend, milliseconds: 2000 };

let project: Project;
beforeEach(() => {
  project = bareProject();
});

it.each<[string, Partial<ReviewAttempt>, string | null, number, Reviewer | null, ReviewReport]>([
  ['with a verdict', {}, 'printed', 2000, critic, everything],
  ['with findings', { verdict: 'findings' }, 'printed', 2000, critic, everything],
  [
    'without a verdict',
    { verdict: 'none' },
    'printed',
    2000,
    critic,
    { ...nothing, spend, milliseconds: 2000 },
  ],
  ['that failed', { verdict: 'failed' }, 'printed', 2000, critic, { ...nothing, spend, milliseconds: 2000 }],
  ['that says nothing of it', {}, 'other', 2000, critic, { ...nothing, milliseconds: 2000 }],
  ['by a program that never does', {}, 'printed', 2000, plain, { ...nothing, milliseconds: 2000 }],
  ['by one that another version alone knows', {}, 'printed', 2000, null, nothing],
  ['that left no output', {}, null, 0, critic, nothing],
  [
    'whose begin nobody knows',
    { begun: undefined },
    'printed',
    2000,
    critic,
    { ...everything, milliseconds: null },
  ],
  ['that ended before it began', {}, 'printed', -1000, critic, { ...everything, milliseconds: 0 }],
  ['that took part of a millisecond', {}, 'printed', 0.75, critic, { ...everything, milliseconds: 1 }],
])('a review %s reports what it listed, cost and took', async (_, more, printed, after, reviewer, report) => {
  if (printed !== null) fs.utimesSync(putOutput(project, 'a1', printed), 1, (BEGUN + after) / 1000);
  const findReviewer = async () => {
    if (reviewer === null) throw new Error('no such reviewer');
    return reviewer;
  };
  const again = () => readReportAgain({ ...attempt, ...more }, stoppedIn(project, {}, { findReviewer }));
  expect(await again()).toEqual(report);
  const line = {
    schema: 2,
    time: 't',
    session: null,
    event: 'review',
    workflow: 'toy',
    run: 'a',
    attempt: 'a1',
  };
  writeIn(project, '.holdfast/journal.jsonl', `${JSON.stringify(line)}\n`);
  expect(await again()).toEqual({ ...report, journaled: true });
});

it('a report is that of its very review', () => {
  const all = (of: ReviewAttempt | null, report: ReviewReport | null) => [
    ...[reportOf(of, report), spendOf(of, report), listedBy(of, report), findingsOf(of, report)],
  ];
  expect(all(attempt, everything)).toEqual([everything, spend, { listed }, { findings }]);
  expect(all(attempt, nothing)).toEqual([nothing, null, {}, {}]);
  for (const [of, report] of [
    [{ ...attempt, id: 'a2' }, everything],
    [null, everything],
    [attempt, null],
  ] as const)
    expect(all(of, report)).toEqual([null, null, {}, {}]);
});
