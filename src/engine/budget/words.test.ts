import { describe, expect, it } from 'vitest';
import { howToResume } from './resume-line.ts';
import { budgetAt, type Kind, spentOf } from './rule.ts';
import type { Budget, Limits, Spent } from './types.ts';
import { amountInWords, limitsInWords, spentInWords } from './words.ts';

const HOUR = 3_600_000;
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };
const NOTHING: Spent = { tokens: 0, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 };
const ALL: Limits = { tokens: 5, timeMs: 5, reviews: 5, usd: 5 };

describe('a budget', () => {
  it.each(['tokens', 'timeMs', 'usd'] as const)('of %s is spent once its limit is reached', (kind) => {
    const at = (amount: number) => spentOf({ ...NONE, [kind]: 5 }, { ...NOTHING, [kind]: amount }, 'hold');
    expect([at(4.99), at(5), at(6)]).toEqual([[], [kind], [kind]]);
    expect(spentOf(NONE, { ...NOTHING, [kind]: 5 }, 'review')).toEqual([]);
    expect(spentOf({ ...NONE, [kind]: 0 }, NOTHING, 'hold')).toEqual([kind]);
  });

  it('of reviews is spent only where another one is due', () => {
    const at = (reviews: number, due: 'hold' | 'review') => spentOf(ALL, { ...NOTHING, reviews }, due);
    expect([at(4, 'review'), at(5, 'review'), at(5, 'hold')]).toEqual([[], ['reviews'], []]);
  });

  it.each([
    ['open', 4, 'goes-on'],
    ['open', 5, 'last-hold'],
    ['last-hold', 4, 'pause'],
    ['paused', 4, 'stays-paused'],
  ] as const)('that is %s, with %d of 5 spent, says %s', (stage, tokens, answer) => {
    expect(budgetAt({ stage, limits: ALL, spent: { ...NOTHING, tokens }, due: 'hold' })).toBe(answer);
  });

  it('is resumed by a command with a flag for each part that is spent', () => {
    const spent = { tokens: 5, cacheRead: 0, timeMs: 4, reviews: 5, usd: 6 };
    const resume = (due: Budget['due']) =>
      howToResume({ run: 'toy:a', limits: ALL, spent, due } as Budget, 'hf');
    expect(resume('hold')).toBe('hf resume toy:a --tokens 1M --usd 5');
    expect(resume('review')).toBe('hf resume toy:a --tokens 1M --reviews 4 --usd 5');
  });

  it.each<[Kind, number, number, string]>([
    ['tokens', 1000, 999, '999 of 1k tokens'],
    ['tokens', 999_949, 12_345, '12.3k of 999.9k tokens'],
    ['tokens', 999_950, 2_126_000, '2.13M of 1M tokens'],
    ['timeMs', HOUR, 90_000, '1.5 min of 1 h'],
    ['timeMs', 1.256 * HOUR, HOUR - 1, '60 min of 1.26 h'],
    ['timeMs', 4 * HOUR, 5 * HOUR, '5 of 4 h'],
    ['reviews', 1, 2, '2 of 1 review'],
    ['reviews', 2, 1, '1 of 2 reviews'],
    ['usd', 5, 10.999, '$11.00 of $5.00'],
  ])('of %s, limited to %d with %d spent, reads %s', (kind, limit, amount, said) => {
    expect(spentInWords(kind, { ...NONE, [kind]: limit }, { ...NOTHING, [kind]: amount })).toBe(said);
    expect(spentInWords(kind, NONE, { ...NOTHING, [kind]: amount })).toBe(amountInWords(kind, amount));
  });

  it('names what is limited in one order', () => {
    const limits = { tokens: 2e6, timeMs: 4 * HOUR, reviews: 12, usd: 10 };
    expect(limitsInWords(limits)).toBe('2M tokens, 4 h, 12 reviews, $10.00');
    expect(limitsInWords({ ...NONE, reviews: 1 })).toBe('1 review');
  });
});
