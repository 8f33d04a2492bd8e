import { describe, expect, it } from 'vitest';
import {
  type NoVerdict,
  newSidecar,
  type ReviewAttempt,
  type Sidecar,
  type Waiting,
} from '../../store/records.ts';
import { endedReview } from '../work/ended-review.ts';
import { reviewerLimit, withoutLimited } from './reviewer.ts';

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

describe('a review that ended at a limit', () => {
  const seen = { stateHash: 's' };
  const limited = ended({ kind: 'usage-limit', code: now / 1000 + 60 });
  const limit = reviewerLimit(limited, now);
  const put = (attempt: ReviewAttempt | null, waiting?: Waiting) => {
    const attempts = attempt === null ? [] : [attempt];
    const sidecar: Sidecar = { ...newSidecar('toy:a'), attempts, ...(waiting && { waiting }) };
    return withoutLimited(endedReview(sidecar, seen), seen, now);
  };

  it('is as if it had not been asked for, and its reviewer is waited for', () => {
    const found = put(limited);
    expect(found).toMatchObject({ ended: null, passed: limited, limit, outcome: { verdict: null } });
    expect(found.outcome).not.toHaveProperty('reviewNumber');
    expect([found.sidecar.attempts, found.sidecar.waiting]).toEqual([[], limit]);
  });

  it('leaves an open question of the agent’s where it is, and no other wait', () => {
    const question: Waiting = { for: 'person', since: now - 5, until: now + 5, what: 'Which?' };
    expect(put(limited, question)).toMatchObject({ limit, sidecar: { attempts: [], waiting: question } });
    expect(put(limited, { ...question, until: now }).sidecar.waiting).toEqual(limit);
    expect(put(limited, { ...question, for: 'work' }).sidecar.waiting).toEqual(limit);
  });

  it.each([null, ended(), ended({ kind: 'api-error', code: 500 })])('is not any other one', (attempt) => {
    const found = put(attempt);
    expect(found).toMatchObject({ ended: attempt, passed: null, limit: null });
    expect(found.sidecar.waiting).toBeUndefined();
  });
});
