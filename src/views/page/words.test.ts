import { describe, expect, it } from 'vitest';
import { ago, amount, clock, lengthOf, money, plural, shortened } from './words.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('words of the page', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [SECOND, '1 s'],
    [1_240, '1.2 s'],
    [9_999, '10 s'],
    [10 * SECOND, '10 s'],
    [42_400, '42 s'],
    [MINUTE, '1 min'],
    [HOUR - 1, '60 min'],
    [HOUR, '1 h'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [2 * HOUR + MINUTE - 1, '2 h'],
    [DAY, '1 d'],
    [3 * DAY + 4 * HOUR, '3 d 4 h'],
  ])('%d ms are %s', (milliseconds, said) => {
    expect(lengthOf(milliseconds)).toBe(said);
  });

  it('what was less than ten seconds ago is just now', () => {
    expect(ago(0, 9_999)).toBe('just now');
    expect(ago(0, 10 * SECOND)).toBe('10 s ago');
    expect(ago(MINUTE, 4 * MINUTE)).toBe('3 min ago');
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_250, '1.3k'],
    [9_940, '9.9k'],
    [10_400, '10k'],
    [999_999, '1000k'],
    [1_000_000, '1M'],
    [3_440_000, '3.4M'],
    [99_940_000, '99.9M'],
    [100_600_000, '101M'],
  ])('%d are %s', (value, said) => {
    expect(amount(value)).toBe(said);
  });

  it('money has two digits, and one thing is no plural', () => {
    expect([money(0), money(1.005), money(12)]).toEqual(['$0.00', '$1.00', '$12.00']);
    expect([plural(0, 'run'), plural(1, 'run'), plural(2, 'run')]).toEqual(['0 runs', '1 run', '2 runs']);
  });

  it('the day stands before the time where it is not today’s, on a clock of 24 hours', () => {
    const now = new Date(2026, 10, 17, 22, 0, 0).getTime();
    expect(clock(new Date(2026, 10, 17, 21, 5, 7).getTime(), now)).toMatch(/^21:05:07$/);
    expect(clock(new Date(2026, 10, 16, 0, 5, 7).getTime(), now)).toMatch(/16.*, 00:05:07$/);
  });

  it('a long task is cut between words', () => {
    expect(shortened('Make the\n failing  tests pass', 20)).toBe('Make the failing…');
    expect(shortened('a'.repeat(30), 20)).toBe(`${'a'.repeat(20)}…`);
  });
});
