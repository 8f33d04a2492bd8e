// The rounds of a run: each review with its verdict and what it found, from the journal, the docket, the review that runs
// now, and, where the agent itself runs the reviewer, from the workflow's own files.

import path from 'node:path';
import type { Entry } from '../engine/docket/types.ts';
import type { Shown } from '../engine/workflow-cli.ts';
import type { FindingCounts } from '../reviewers/findings.ts';
import type { ReviewAttempt } from '../store/records.ts';
import type { RoundVerdict, RoundView } from './model.ts';
import { type Reviewed, tokensOf } from './run-history.ts';

export type RoundsFrom = {
  root: string;
  reviews: readonly Reviewed[];
  findings: readonly Entry[];
  shown: Shown | null;
  running: ReviewAttempt | null;
};

export function roundsOf({ root, reviews, findings, shown, running }: RoundsFrom): RoundView[] {
  if (shown?.rounds !== undefined) return shown.rounds.map((round) => ownRound(round, root));
  const journaled = reviews.map((review, index) => journaledRound(review, index, findings));
  const known = new Set(journaled.map(({ file }) => path.basename(file ?? '')));
  const earlier = [...new Set(findings.map(({ review }) => review))].filter((review) => !known.has(review));
  return [
    ...earlier.map((review, index) => docketRound(review, index, findings)),
    ...journaled,
    ...(running === null ? [] : [runningRound(running)]),
  ];
}

const NONE: FindingCounts = { high: 0, medium: 0, low: 0 };
const UNKNOWN = { reviewer: null, model: null, at: null, milliseconds: null, usd: null, tokens: null };

function ownRound(
  { number, found, running, file }: NonNullable<Shown['rounds']>[number],
  root: string,
): RoundView {
  const isClean = found !== null && found.high + found.medium + found.low === 0;
  const reviewed: RoundVerdict = isClean ? 'clean' : 'findings';
  return {
    ...UNKNOWN,
    ...{ number, about: '', found: found ?? NONE, file: path.relative(root, file), position: null },
    verdict: found !== null ? reviewed : running ? 'running' : 'not-reviewed',
  };
}

function journaledRound(
  { entry, position, at }: Reviewed,
  index: number,
  findings: readonly Entry[],
): RoundView {
  const { reviewer, model, file, milliseconds, usd, tokens } = entry;
  return {
    ...named(file, index),
    ...{ reviewer, model, at, milliseconds, usd, file, position },
    tokens: tokens === null ? null : tokensOf(tokens),
    verdict: verdictOf(entry.verdict),
    found: countIn(path.basename(file), findings),
  };
}

/** Its line is older than what was read of the journal. */
function docketRound(review: string, index: number, findings: readonly Entry[]): RoundView {
  const by = findings.find((entry) => entry.review === review)?.by ?? null;
  const found = countIn(review, findings);
  return {
    ...UNKNOWN,
    ...named(review, index),
    ...{ reviewer: by, verdict: 'findings', found, file: review, position: null },
  };
}

function runningRound({ file, number, reviewer, model, kind }: ReviewAttempt): RoundView {
  const about = named(file, 0).about || kind;
  return {
    ...UNKNOWN,
    ...{ number, about, reviewer, model, verdict: 'running', found: NONE, file, position: null },
  };
}

function verdictOf(verdict: string | null): RoundVerdict {
  const known: readonly RoundVerdict[] = ['clean', 'findings', 'none', 'failed'];
  return known.find((each) => each === verdict) ?? 'none';
}

/** By the file's name: `task-2-review-3.md` is the third about task-2. */
function named(file: string, index: number): Pick<RoundView, 'number' | 'about'> {
  const [, about = '', number] = /^(.*?)-?(?:review-)?(\d{1,9})\.md$/.exec(path.basename(file)) ?? [];
  return { about, number: number === undefined ? index + 1 : Number(number) };
}

function countIn(review: string, findings: readonly Entry[]): FindingCounts {
  const counts = { ...NONE };
  for (const entry of findings) if (entry.review === review) counts[entry.severity] += 1;
  return counts;
}
