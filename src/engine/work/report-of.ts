// What a finished review cost and listed, of that very review: a report may be of another. Pure.

import type { FindingCounts, Findings, Spend } from '../../reviewers/findings.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { ReviewReport } from './report.ts';

/** Null: its program does not say. */
export function spendOf(attempt: ReviewAttempt | null, report: ReviewReport | null): Spend | null {
  return reportOf(attempt, report)?.spend ?? null;
}

/** Left out where it listed nothing: most decisions, and the journal's lines of them, are as they always were. */
export function listedBy(
  attempt: ReviewAttempt | null,
  report: ReviewReport | null,
): { listed?: FindingCounts } {
  const listed = reportOf(attempt, report)?.listed ?? null;
  return listed === null ? {} : { listed };
}

export function findingsOf(
  attempt: ReviewAttempt | null,
  report: ReviewReport | null,
): { findings?: Findings } {
  const findings = reportOf(attempt, report)?.findings ?? null;
  return findings === null ? {} : { findings };
}

export function reportOf(attempt: ReviewAttempt | null, report: ReviewReport | null): ReviewReport | null {
  return attempt !== null && report?.attempt === attempt.id ? report : null;
}
