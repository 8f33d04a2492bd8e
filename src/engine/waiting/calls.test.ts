import { expect, test } from 'vitest';
import { NO_WAITS } from '../../store/records.ts';
import { calledInAll } from './calls.ts';

test.each([
  ['none', 0, 0, 0],
  ['long ones, as they were', 3, 300_000, 300_000],
  ['short ones, a minute each', 3, 20, 180_000],
])('%s', (_, calls, called, inAll) => {
  expect(calledInAll({ ...NO_WAITS, calls, called })).toBe(inAll);
});
