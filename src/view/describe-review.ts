// A review that ended, in one line of the log: who, what came of it, and what it cost.

import type { ReviewEntry } from '../store/journal-lines.ts';

export function describeReview(entry: ReviewEntry): string {
  const { reviewer, model, file, verdict, usd, milliseconds } = entry;
  const parts = [
    `${reviewer}/${model} for ${file}`,
    WORDS[verdict ?? ''] ?? 'no verdict',
    usd === null ? null : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`,
    tokensIn(entry),
    milliseconds === null ? null : `${Math.round(milliseconds / 1000)} s`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const WORDS: Readonly<Record<string, string>> = {
  clean: 'clean',
  findings: 'findings',
  none: 'no verdict',
  failed: 'it failed',
};

/** What was read from a cache is cheap, but it was read. */
function tokensIn({ tokens }: ReviewEntry): string | null {
  if (tokens === null) return null;
  const { input, cacheCreation, cacheRead, output } = tokens;
  return `${input + cacheCreation + cacheRead} tokens in, ${output} out`;
}
