import { expect, test } from 'vitest';
import { describeSpan } from './times.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [100 * SECOND, '100 s'],
  [119.4 * SECOND, '119 s'],
  [2 * MINUTE, '2 min'],
  [99 * MINUTE, '99 min'],
  [2 * HOUR, '2 h'],
  [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
  [47.99 * HOUR, '47 h 59 min'],
  [7 * 24 * HOUR, '7 days'],
])('%d ms is %s', (ms, span) => {
  expect(describeSpan(ms)).toBe(span);
});
