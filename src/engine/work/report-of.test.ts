import { describe, expect, it } from 'vitest';
import type { ReviewAttempt } from '../../store/records.ts';
import type { ReviewReport } from './report.ts';
import { findingsOf, listedBy, reportOf, spendOf } from './report-of.ts';

const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'k', number: 4, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now' },
};
const full: ReviewReport = {
  attempt: 'a1',
  findings: { list: [], cut: 2 },
  listed: { high: 1, medium: 0, low: 0 },
  spend: { usd: 1, tokens: null },
  milliseconds: 5,
  journaled: false,
};
const empty: ReviewReport = { ...full, findings: null, listed: null, spend: null };

describe('a report', () => {
  it('is that of its very review', () => {
    expect(reportOf(attempt, full)).toBe(full);
    expect(spendOf(attempt, full)).toBe(full.spend);
    expect(listedBy(attempt, full)).toEqual({ listed: full.listed });
    expect(findingsOf(attempt, full)).toEqual({ findings: full.findings });
  });

  it.each<[string, ReviewAttempt | null, ReviewReport | null]>([
    ['of another review', { ...attempt, id: 'a2' }, full],
    ['of no review', null, full],
    ['that is none', attempt, null],
    ['where both are none', null, null],
  ])('%s says nothing', (_, of, report) => {
    expect(reportOf(of, report)).toBeNull();
    expect(spendOf(of, report)).toBeNull();
    expect(listedBy(of, report)).toEqual({});
    expect(findingsOf(of, report)).toEqual({});
  });

  it('that lists nothing leaves nothing', () => {
    expect(reportOf(attempt, empty)).toBe(empty);
    expect(spendOf(attempt, empty)).toBeNull();
    expect(listedBy(attempt, empty)).toEqual({});
    expect(findingsOf(attempt, empty)).toEqual({});
  });
});
