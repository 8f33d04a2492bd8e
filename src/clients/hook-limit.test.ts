import { expect, it } from 'vitest';
import { limitInMilliseconds, noLimitKnown, ownLimit, passedLimit } from './hook-limit.ts';

it.each<[number | null, number, number | null, number | null]>([
  [null, 600, null, null],
  [0, 0, 0, 0],
  [999, 999, 999, 0],
  [1000, 1000, 1000, 1],
  [7_200_999, 7_200_999, 7_200_999, 7200],
])('a limit of %s is %s, %s, or %s seconds', (passed, own, passedOn, inMilliseconds) => {
  expect(ownLimit(passed)).toBe(own);
  expect(passedLimit(passed)).toBe(passedOn);
  expect(limitInMilliseconds(passed)).toBe(inMilliseconds);
  expect(noLimitKnown()).toBeNull();
});
