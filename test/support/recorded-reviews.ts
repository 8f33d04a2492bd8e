// What a reviewer must make of what its real program printed (test/fixtures/recorded/<program>/review-*.json).

import { expect, it } from 'vitest';
import type { Reviewer } from '../../src/reviewers/reviewer.ts';
import type { NoVerdict, Verdict } from '../../src/reviewers/verdict.ts';
import { recordedPayload } from './recorded.ts';

export type RecordedReview = { stdout: string; exitCode: number };

export function recordedReview(program: string, name: string): RecordedReview {
  const { stdout, exitCode } = recordedPayload(`${program}/review-${name}.json`);
  return { stdout: String(stdout), exitCode: Number(exitCode) };
}

/** `verdicts` and `causes`: by the name of the recording. */
export function readsRecordings(
  reviewer: Reviewer,
  verdicts: Readonly<Record<string, Verdict>>,
  causes: Readonly<Record<string, NoVerdict | null>>,
): void {
  const recorded = (name: string): RecordedReview => recordedReview(reviewer.name, name);

  it.each(Object.entries(verdicts))('reads what the real client printed (%s) as %s', (name, verdict) => {
    const { stdout, exitCode } = recorded(name);
    expect(reviewer.readVerdict(stdout, exitCode)).toBe(verdict);
  });

  it.each(Object.entries(causes))(
    'says why there is no verdict from what the real client printed (%s)',
    (name, cause) => {
      expect(reviewer.readNoVerdict?.(recorded(name).stdout, 0)).toEqual(cause);
    },
  );

  it('takes a verdict whose hook died, but no error and nothing cut off', () => {
    const { stdout } = recorded('pass');
    expect(reviewer.readVerdict(stdout, null)).toBe('clean');
    // An error is one, also where the exit code does not say so.
    for (const code of [null, 0])
      expect(reviewer.readVerdict(recorded('api-error').stdout, code)).toBe('failed');
    expect(reviewer.readVerdict(stdout.slice(0, -40), null)).toBe('none');
    expect(reviewer.readVerdict(stdout, 1)).toBe('failed');
    expect(reviewer.readVerdict('', 0)).toBe('none');
  });
}
