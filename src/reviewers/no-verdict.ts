// Why a review has no verdict, in words that finish the sentence "the review ended without a verdict: …". Pure.

import { installHint } from './programs.ts';
import type { NoVerdict } from './verdict.ts';

/** `program` is what a person would run by hand to see for themselves. */
export function describeNoVerdict({ kind, code }: NoVerdict, program: string): string {
  switch (kind) {
    case 'missing':
      return `\`${program}\` was not found on PATH, so no review ran${installHint(program)}`;
    case 'not-logged-in':
      return `\`${program}\` is not logged in; run \`${program}\` in a terminal and log in`;
    case 'usage-limit':
      return `the usage limit of its account is reached${code === null ? '' : `; it ends at ${timeOf(code)}`}`;
    case 'api-error':
      return `its API refused the request (status ${code ?? 'unknown'})`;
    case 'timed-out':
      return 'it was ended at our deadline (review.timeout in holdfast.config.json)';
    case 'killed':
      return `it was killed by signal ${code ?? 'unknown'}`;
    case 'too-much-output':
      return `it printed more than ${code ?? 'unknown'} MB, which is not read`;
    case 'no-file':
      return 'it gave a verdict but wrote no review file';
    case 'no-verdict':
      return 'it ran to its end but gave no verdict';
    case 'exit-code':
      return `it ended with exit code ${code ?? 'unknown'}`;
  }
}

/** To the minute, and the same on every machine. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000);
  // What a journal holds need not be a time.
  if (Number.isNaN(time.getTime())) return 'a time unknown';
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
