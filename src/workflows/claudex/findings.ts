// Counts what a findings file holds, by severity, by the same reader that makes a docket of it.

import { readFindings } from '../../engine/docket/review-file.ts';
import type { FindingCounts } from '../../reviewers/findings.ts';

export type Counts = FindingCounts;

/** Null: the file holds nothing, so no review was written. */
export function countFindings(markdown: string): Counts | null {
  const found = readFindings(markdown);
  if (found === null) return null;
  const counts = { high: 0, medium: 0, low: 0 };
  for (const { severity } of found) counts[severity] += 1;
  return counts;
}

export function describeCounts({ high, medium, low }: Counts): string {
  return `high=${high} medium=${medium} low=${low}`;
}
