// What a finished review says beside its verdict, read from its output. That lies in the attempt's own folder until the step
// that rests on the verdict is committed, and goes last: so nothing of it need be stored, and no crash loses any of it.

import fs from 'node:fs';
import type { FindingCounts, Findings, Spend } from '../../reviewers/findings.ts';
import { countFindings } from '../../reviewers/read-answer.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import { hasReviewLine } from '../../store/journal-reviews.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import { readText, withLeftOutput } from './output.ts';

export type ReviewReport = {
  /** Id of the attempt it is about. */
  attempt: string;
  /** Null: it has no verdict, or lists nothing beside it. */
  findings: Findings | null;
  listed: FindingCounts | null;
  /** What it cost, verdict or not; null: its program does not say. */
  spend: Spend | null;
  /** How long it took; null: nobody knows. */
  milliseconds: number | null;
  /** Its line is in the journal: a hook died between writing that and removing the attempt's folder. */
  journaled: boolean;
};

/** Of a review that ended in this very stop. */
export function readReport(attempt: ReviewAttempt, reviewer: Reviewer, stdout: number | null): ReviewReport {
  const printed = readText(stdout);
  const hasVerdict = attempt.verdict === 'clean' || attempt.verdict === 'findings';
  const findings = hasVerdict ? (reviewer.readFindings?.(printed) ?? null) : null;
  return {
    attempt: attempt.id,
    findings,
    listed: findings && countFindings(findings),
    spend: reviewer.readSpend?.(printed) ?? null,
    milliseconds: timeTaken(attempt, stdout),
    journaled: false,
  };
}

/** Of one that an earlier stop ran, or left behind. */
export async function readReportAgain(
  attempt: ReviewAttempt,
  { project, runtime }: StopContext,
): Promise<ReviewReport> {
  // The name comes from a sidecar, and may be one that only another version knows: its verdict counts all the same.
  const reviewer = await runtime.findReviewer(attempt.reviewer).catch(() => null);
  const journaled = hasReviewLine(project.root, attempt.id);
  if (reviewer === null) return { ...nothingReported(attempt), journaled };
  return withLeftOutput(project, attempt.id, (stdout) => ({
    ...readReport(attempt, reviewer, stdout),
    journaled,
  }));
}

function nothingReported({ id }: ReviewAttempt): ReviewReport {
  const nothing = { findings: null, listed: null, spend: null, milliseconds: null };
  return { attempt: id, ...nothing, journaled: false };
}

/** It prints to its end, so that is when its output was last written. */
function timeTaken({ begun }: ReviewAttempt, stdout: number | null): number | null {
  if (begun === undefined || stdout === null) return null;
  return Math.max(0, Math.round(fs.fstatSync(stdout).mtimeMs - begun));
}
