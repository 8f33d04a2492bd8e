import { expect, test } from 'vitest';
import { describeSpan, describeTime } from './times.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [500, '1 s'],
  [100 * SECOND, '100 s'],
  [119.4 * SECOND, '119 s'],
  [119.5 * SECOND, '2 min'],
  [2 * MINUTE, '2 min'],
  [149 * SECOND, '2 min'],
  [150 * SECOND, '3 min'],
  [99 * MINUTE, '99 min'],
  [100 * MINUTE, '1 h 40 min'],
  [2 * HOUR, '2 h'],
  [2 * HOUR + MINUTE, '2 h 1 min'],
  [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
  [47.99 * HOUR, '47 h 59 min'],
  [48 * HOUR, '2 days'],
  [59 * HOUR, '2 days'],
  [60 * HOUR, '3 days'],
  [7 * 24 * HOUR, '7 days'],
])('%d ms is %s', (ms, span) => {
  expect(describeSpan(ms)).toBe(span);
});

test('a time is told to the minute, in UTC', () => {
  expect(describeTime(Date.UTC(2026, 0, 2, 3, 4, 59))).toBe('2026-01-02 03:04 UTC');
});
