import { describe, expect, it } from 'vitest';
import { elapsed, markOf, oneLine, standOf } from './words.ts';

describe('words of the terminal view', () => {
  it.each([
    [-5, '0:00'],
    [999, '0:00'],
    [65_000, '1:05'],
    [3_599_999, '59:59'],
    [7_805_000, '2:10:05'],
  ])('%d ms are %s', (milliseconds, said) => {
    expect(elapsed(milliseconds)).toBe(said);
  });

  it.each([
    ['loop, iteration 3/10', 'running', 10, 'loop, iteration 3/10'],
    ['ITERATION 3/10', 'running', 10, 'ITERATION 3/10'],
    ['loop, iteration 30/40', 'running', 10, 'loop, iteration 30/40, iteration 3 of at most 10'],
    ['green', 'needs-you', 10, 'needs you, green, iteration 3 of at most 10'],
    ['green', 'paused', null, 'paused, green, iteration 3'],
  ] as const)('a bound is said once: %s (%s, of %s)', (stage, status, of, said) => {
    expect(standOf({ stage, status, end: null, progress: { unit: 'iteration', at: 3, of } })).toBe(said);
  });

  it('of a run that ended, how is said, and nothing of its stage', () => {
    const end = { kind: 'unproven', at: 1, why: ['test failed'], by: null, checks: [] } as const;
    const ended = { stage: 'active', status: 'ended', end, progress: null } as const;
    expect([standOf(ended), markOf(ended).mark]).toEqual(['done, unproven (test failed)', '✗']);
  });

  it('a text becomes one line that steers no terminal', () => {
    expect(oneLine('  one\n\t two\u001b[31m three ')).toBe('one two [31m three');
  });
});
