import { expect, it } from 'vitest';
import type { DriveEntry, ReviewEntry } from '../store/journal-lines.ts';
import { describeDrive } from './describe-drive.ts';
import { describeReview } from './describe-review.ts';

const review = (more: Partial<ReviewEntry> = {}): string =>
  describeReview({
    ...{ schema: 2, time: '', session: null, event: 'review', workflow: 'toy', run: 'a', attempt: 'x' },
    ...{ reviewer: 'codex', model: 'gpt', file: 'review-1.md', verdict: 'clean' },
    ...{ usd: null, tokens: null, milliseconds: null },
    ...more,
  } as ReviewEntry);

it.each<[Partial<ReviewEntry>, string]>([
  [{}, 'codex/gpt for review-1.md, clean'],
  [{ verdict: 'findings' }, 'codex/gpt for review-1.md, findings'],
  [{ verdict: 'none' }, 'codex/gpt for review-1.md, no verdict'],
  [{ verdict: 'failed' }, 'codex/gpt for review-1.md, it failed'],
  [{ verdict: null }, 'codex/gpt for review-1.md, no verdict'],
  [{ verdict: 'perhaps' }, 'codex/gpt for review-1.md, no verdict'],
  [{ usd: 0.0999 }, 'codex/gpt for review-1.md, clean, $0.0999'],
  [{ usd: 0.1 }, 'codex/gpt for review-1.md, clean, $0.10'],
  [{ usd: 0 }, 'codex/gpt for review-1.md, clean, $0.0000'],
  [{ milliseconds: 1499 }, 'codex/gpt for review-1.md, clean, 1 s'],
  [{ milliseconds: 1500 }, 'codex/gpt for review-1.md, clean, 2 s'],
  [
    { usd: 2, tokens: { input: 1, cacheCreation: 20, cacheRead: 300, output: 5 }, milliseconds: 9000 },
    'codex/gpt for review-1.md, clean, $2.00, 321 tokens in, 5 out, 9 s',
  ],
])('a review with %j', (more, line) => {
  expect(review(more)).toBe(line);
});

it.each<[object, string]>([
  [{ what: 'began' }, '`holdfast run` began'],
  [{ what: 'client-began' }, 'its client began'],
  [{ what: 'client-ended', why: 'exit 1' }, 'its client ended (exit 1)'],
  [{ what: 'waits', until: 'noon' }, 'it waits until noon'],
  [{ what: 'waits', until: 'noon', why: 'limit' }, 'it waits until noon (limit)'],
  [{ what: 'left' }, '`holdfast run` was ended'],
  [{ what: 'finished' }, '`holdfast run` is done'],
  [{ what: 'later', why: 'x' }, 'later (x)'],
  [{ what: 'constructor' }, 'constructor'],
])('what `holdfast run` did: %j', (entry, line) => {
  expect(describeDrive(entry as DriveEntry)).toBe(line);
});
