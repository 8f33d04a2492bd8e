import { expect, it } from 'vitest';
import { type NoVerdict, newSidecar, type ReviewAttempt, type Waiting } from '../../store/records.ts';
import { endedReview } from '../work/ended-review.ts';
import { withoutLimited } from './reviewer.ts';

const now = 1_800_000_000_000;
const ended = (cause?: NoVerdict): ReviewAttempt => ({
  ...{ id: 'a', work: 'review', reviewer: 'codex', kind: 'code-review', number: 1, file: 'r.md', model: '' },
  ...{ owner: null, deadline: 0, status: 'done', verdict: 'failed', before: 's' },
  ...(cause && { cause }),
});
const limited = (code: number | null) => ended({ kind: 'usage-limit', code });
const put = (attempt: ReviewAttempt | null, waiting?: Waiting) => {
  const sidecar = { ...newSidecar('toy:a'), attempts: attempt === null ? [] : [attempt], waiting };
  return withoutLimited(endedReview(sidecar, { stateHash: 's' }), { stateHash: 's' }, now);
};
const limit = (until: number | null): Waiting => ({
  ...{ for: 'limit', since: now, until, what: 'usage-limit', reviewer: 'codex' },
});

it.each([
  [now / 1000 + 60, now + 60_000],
  [null, null],
  [now / 1000, null],
])(
  'a review that ended at a limit (%s) is as if it had not been asked for, and its reviewer is waited for',
  (code, until) => {
    const found = put(limited(code));
    expect(found).toMatchObject({
      ended: null,
      passed: limited(code),
      limit: limit(until),
      outcome: { verdict: null },
    });
    expect([found.sidecar.attempts, found.sidecar.waiting]).toEqual([[], limit(until)]);
    expect(found.outcome).not.toHaveProperty('reviewNumber');
  },
);

it('it leaves an open question of the agent’s where it is, and no other wait', () => {
  const question: Waiting = { for: 'person', since: now - 5, until: now + 5, what: 'Which?' };
  const waiting = (known: Waiting) => put(limited(null), known).sidecar.waiting;
  expect(waiting(question)).toEqual(question);
  for (const other of [
    { ...question, until: now },
    { ...question, for: 'work' as const },
  ])
    expect(waiting(other)).toEqual(limit(null));
});

it.each([null, ended(), ended({ kind: 'api-error', code: 500 })])('any other one stays: %j', (attempt) => {
  expect(put(attempt)).toMatchObject({ ended: attempt, passed: null, limit: null });
});
