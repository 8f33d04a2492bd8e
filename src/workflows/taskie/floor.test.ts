import { describe, expect, it } from 'vitest';
import { isBelowFloor } from './floor.ts';

type Given = Parameters<typeof isBelowFloor>[0];
type Listed = NonNullable<Given['listed']>;
const listed = (high: number, medium: number, low: number): Listed => ({ high, medium, low });
const below = (severity: 'medium' | 'high', found: Listed | null, round = 2, from = 2): boolean =>
  isBelowFloor({ listed: found, floor: { severity, from } } as Given, round);

describe('a review lies below the floor', () => {
  it.each([
    ['medium', listed(0, 0, 1), true],
    ['medium', listed(0, 1, 1), false],
    ['medium', listed(1, 0, 1), false],
    ['medium', listed(0, 1, 0), false],
    ['high', listed(0, 0, 1), true],
    ['high', listed(0, 1, 0), true],
    ['high', listed(0, 2, 3), true],
    ['high', listed(1, 1, 1), false],
    ['high', listed(1, 0, 0), false],
  ] as const)('of %s with %j: %s', (severity, found, is) => {
    expect(below(severity, found)).toBe(is);
  });

  it.each(['medium', 'high'] as const)('of %s never where it listed nothing', (severity) => {
    expect(below(severity, listed(0, 0, 0))).toBe(false);
    expect(below(severity, null)).toBe(false);
  });

  it('only from the round on that the user set', () => {
    expect([1, 2, 3].map((round) => below('high', listed(0, 0, 1), round))).toEqual([false, true, true]);
  });

  it('never where there is no floor', () => {
    expect(isBelowFloor({ listed: listed(0, 0, 1), floor: null } as Given, 9)).toBe(false);
    expect(isBelowFloor({ listed: listed(0, 0, 1) } as Given, 9)).toBe(false);
  });
});
