import { expect, it } from 'vitest';
import { addUp, countIn } from './usage.ts';

it.each<[number[], number]>([
  [[], 0],
  [[1, 2, 3], 6],
  [[Number.MAX_SAFE_INTEGER, 1], Number.MAX_SAFE_INTEGER],
  [[Number.MAX_SAFE_INTEGER - 1, 1], Number.MAX_SAFE_INTEGER],
])('the sum of %j is %s', (counts, sum) => {
  expect(addUp(...counts)).toBe(sum);
});

it.each<[unknown, number]>([
  [1, 1],
  [0, 0],
  [-1, 0],
  [1.5, 0],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [Number.MAX_SAFE_INTEGER + 1, 0],
  [Number.POSITIVE_INFINITY, 0],
  ['1', 0],
  [true, 0],
  [undefined, 0],
])('%j counts as %s', (value, count) => {
  expect(countIn({ a: value, b: 7 }, 'a')).toBe(count);
});

it('nothing counts as none', () => {
  expect(countIn(null, 'a')).toBe(0);
});
