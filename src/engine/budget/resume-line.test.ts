import { expect, it } from 'vitest';
import { howToResume } from './resume-line.ts';
import type { Budget, Limits } from './types.ts';

it('more is granted by a command with a flag for each part that is spent', () => {
  const spent = { tokens: 5, cacheRead: 0, timeMs: 5, reviews: 5, usd: 5 };
  const resume = (limits: Limits, due: Budget['due']): string =>
    howToResume({ run: 'toy:a', limits, spent, due } as Budget, 'hf');
  const all = { tokens: 5, timeMs: 5, reviews: 5, usd: 5 };
  expect(resume({ tokens: null, timeMs: null, reviews: null, usd: null }, 'hold')).toBe('hf resume toy:a');
  expect(resume(all, 'hold')).toBe('hf resume toy:a --tokens 1M --hours 2 --usd 5');
  expect(resume(all, 'review')).toBe('hf resume toy:a --tokens 1M --hours 2 --reviews 4 --usd 5');
});
