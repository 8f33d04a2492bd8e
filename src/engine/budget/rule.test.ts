import { describe, expect, it } from 'vitest';
import { budgetAt, KINDS, spentOf } from './rule.ts';
import type { Limits, Spent } from './types.ts';

const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };
const NOTHING: Spent = { tokens: 0, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 };

describe('a part of a budget', () => {
  it.each(['tokens', 'timeMs', 'usd'] as const)('(%s) is spent once its limit is reached', (kind) => {
    const at = (amount: number) => spentOf({ ...NONE, [kind]: 5 }, { ...NOTHING, [kind]: amount }, 'hold');
    expect([at(4), at(5), at(6)]).toEqual([[], [kind], [kind]]);
    expect(spentOf(NONE, { ...NOTHING, [kind]: 5 }, 'review')).toEqual([]);
    expect(spentOf({ ...NONE, [kind]: 0 }, NOTHING, 'hold')).toEqual([kind]);
  });

  it('(reviews) is spent where another one is due', () => {
    const at = (amount: number, due: 'hold' | 'review') =>
      spentOf({ ...NONE, reviews: 5 }, { ...NOTHING, reviews: amount }, due);
    expect([at(4, 'review'), at(5, 'review'), at(5, 'hold')]).toEqual([[], ['reviews'], []]);
  });

  it('is one of four', () => {
    expect(KINDS).toEqual(['tokens', 'timeMs', 'reviews', 'usd']);
  });
});

describe('a budget', () => {
  const limits = { ...NONE, tokens: 5 };
  it.each([
    ['open', 4, 'goes-on'],
    ['open', 5, 'last-hold'],
    ['last-hold', 4, 'pause'],
    ['last-hold', 5, 'pause'],
    ['paused', 4, 'stays-paused'],
    ['paused', 5, 'stays-paused'],
  ] as const)('that is %s, with %d of 5 spent, says %s', (stage, tokens, answer) => {
    expect(budgetAt({ stage, limits, spent: { ...NOTHING, tokens }, due: 'hold' })).toBe(answer);
  });
});
