import { expect, it } from 'vitest';
import type { NoVerdict, ReviewAttempt } from '../../store/records.ts';
import { reviewerLimit } from './reviewer.ts';

const now = 1_800_000_000_000;
const ended = (cause?: NoVerdict): ReviewAttempt => ({
  ...{ id: 'a', work: 'review', reviewer: 'codex', kind: 'code-review', number: 1, file: 'r.md', model: '' },
  ...{ owner: null, deadline: 0, status: 'done', verdict: 'failed', before: 's' },
  ...(cause && { cause }),
});

it('is waited for until it says', () => {
  const limit = reviewerLimit(ended({ kind: 'usage-limit', code: now / 1000 + 60 }), now);
  expect(limit).toEqual({
    for: 'limit',
    since: now,
    until: now + 60_000,
    what: 'usage-limit',
    reviewer: 'codex',
  });
});

it.each([null, now / 1000, now / 1000 - 60])('is waited for without a known end (%s)', (code) => {
  expect(reviewerLimit(ended({ kind: 'usage-limit', code }), now)?.until).toBeNull();
});

it('is no other failure', () => {
  expect(reviewerLimit(ended({ kind: 'api-error', code: 500 }), now)).toBeNull();
  expect(reviewerLimit(ended(), now)).toBeNull();
});
