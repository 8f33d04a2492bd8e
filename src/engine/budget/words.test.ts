import { describe, expect, it } from 'vitest';
import { newBudget } from './pin.ts';
import { howToResume } from './resume-line.ts';
import type { Kind } from './rule.ts';
import { budgetAt, KINDS, spentOf } from './rule.ts';
import type { Budget, Limits, Spent } from './types.ts';
import { amountInWords, flagFor, limitsInWords, shortCount, spentInWords } from './words.ts';

const HOUR = 3_600_000;
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };
const NOTHING: Spent = { tokens: 0, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 };

describe('an amount', () => {
  it.each<[Kind, number, string]>([
    ['tokens', 0, '0 tokens'],
    ['tokens', 999, '999 tokens'],
    ['tokens', 2_000_000, '2M tokens'],
    ['timeMs', 0, '0 min'],
    ['timeMs', 90_000, '1.5 min'],
    ['timeMs', HOUR - 1, '60 min'],
    ['timeMs', HOUR, '1 h'],
    ['timeMs', 1.256 * HOUR, '1.26 h'],
    ['reviews', 0, '0 reviews'],
    ['reviews', 1, '1 review'],
    ['reviews', 2, '2 reviews'],
    ['usd', 0, '$0.00'],
    ['usd', 2.5, '$2.50'],
    ['usd', 10.999, '$11.00'],
  ])('of %s: %d is %s', (kind, amount, said) => {
    expect(amountInWords(kind, amount)).toBe(said);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [12_345, '12.3k'],
    [999_949, '999.9k'],
    [999_950, '1M'],
    [2_126_000, '2.13M'],
  ])('in short: %d is %s', (count, said) => {
    expect(shortCount(count)).toBe(said);
  });
});

describe('what is spent of it', () => {
  it.each<[Kind, number | null, number, string]>([
    ['tokens', 2_000_000, 2_100_000, '2.1M of 2M tokens'],
    ['tokens', null, 12, '12 tokens'],
    ['timeMs', 4 * HOUR, 720_000, '12 min of 4 h'],
    ['timeMs', 4 * HOUR, 5 * HOUR, '5 of 4 h'],
    ['reviews', 2, 1, '1 of 2 reviews'],
    ['reviews', 2, 2, '2 of 2 reviews'],
    ['usd', 5, 1.2, '$1.20 of $5.00'],
  ])('of %s, limited to %d: %d is %s', (kind, limit, amount, said) => {
    expect(spentInWords(kind, { ...NONE, [kind]: limit }, { ...NOTHING, [kind]: amount })).toBe(said);
  });
});

describe('all limits', () => {
  it('are named in one order, and only those that are there', () => {
    expect(limitsInWords({ tokens: 2e6, timeMs: 4 * HOUR, reviews: 12, usd: 10 })).toBe(
      '2M tokens, 4 h, 12 reviews, $10.00',
    );
    expect(limitsInWords({ ...NONE, reviews: 1 })).toBe('1 review');
    expect(limitsInWords(NONE)).toBe('');
  });

  it('have a flag each, with an example', () => {
    expect(KINDS.map(flagFor)).toEqual(['--tokens 1M', '--hours 2', '--reviews 4', '--usd 5']);
  });
});

describe('a limit', () => {
  it.each<[Kind, number, boolean]>([
    ['tokens', 9, false],
    ['tokens', 10, true],
    ['timeMs', 10, true],
    ['usd', 9.99, false],
    ['usd', 11, true],
  ])('of 10 %s with %d used is spent: %s', (kind, amount, isSpent) => {
    const limits = { ...NONE, [kind]: 10 };
    const spent = { ...NOTHING, [kind]: amount };
    expect(spentOf(limits, spent, 'hold')).toEqual(isSpent ? [kind] : []);
    const question = { stage: 'open', limits, spent, due: 'hold' } as const;
    expect(budgetAt(question)).toBe(isSpent ? 'last-hold' : 'goes-on');
  });

  it('of 0 is spent at once, and none never is', () => {
    expect(spentOf({ ...NONE, tokens: 0 }, NOTHING, 'hold')).toEqual(['tokens']);
    expect(spentOf(NONE, { ...NOTHING, tokens: 1e15 }, 'review')).toEqual([]);
  });
});

describe('the command that grants more', () => {
  const budgetWith = (limits: Partial<Limits>, spent: Partial<Spent>, due: Budget['due']): Budget => ({
    ...newBudget('/root', 'a:b', { ...NONE, ...limits }, 1, 1),
    spent: { ...NOTHING, ...spent },
    due,
  });

  it('has a flag for each part that is spent, and no other', () => {
    const limits = { tokens: 5, timeMs: 5, reviews: 5, usd: 5 };
    const most = budgetWith(limits, { tokens: 5, timeMs: 4, reviews: 5, usd: 6 }, 'review');
    expect(howToResume(most, 'holdfast')).toBe('holdfast resume a:b --tokens 1M --reviews 4 --usd 5');
    expect(howToResume({ ...most, due: 'hold' }, 'hf')).toBe('hf resume a:b --tokens 1M --usd 5');
    expect(howToResume(budgetWith(limits, {}, 'hold'), 'hf')).toBe('hf resume a:b');
  });
});
