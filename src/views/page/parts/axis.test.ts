import { describe, expect, it } from 'vitest';
import { inRows, type Quantity, timeTicks, valueTicks } from './axis.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

it.each<[number, Quantity, readonly number[]]>([
  [0, 'count', [0, 1]],
  [1, 'count', [0, 1]],
  [3, 'count', [0, 1, 2, 3]],
  [9, 'count', [0, 5, 10]],
  [4_000_000, 'count', [0, 2_000_000, 4_000_000]],
  [0.05, 'money', [0, 0.02, 0.04, 0.06]],
  [6 * HOUR, 'time', [0, 2 * HOUR, 4 * HOUR, 6 * HOUR]],
  [10 * MINUTE, 'time', [0, 5 * MINUTE, 10 * MINUTE]],
])('round values up to %d (%s)', (most, quantity, ticks) => {
  expect(valueTicks(most, quantity)).toEqual(ticks);
});

describe('times on an axis', () => {
  const from = new Date(2026, 10, 17, 22, 47, 31).getTime();
  const labels = (span: number, width: number) =>
    timeTicks(from, from + span, width).map(({ label }) => label);

  it.each([0, 400, SECOND, 90 * SECOND, 11 * MINUTE, 3 * HOUR, 19 * HOUR, 3 * DAY, 400 * DAY])(
    'over %d ms no label stands twice, and each has room',
    (span) => {
      for (const width of [164, 300, 700, 1100]) {
        const shown = labels(span, width);
        expect(shown.length).toBeGreaterThan(0);
        expect(new Set(shown).size).toBe(shown.length);
        expect(shown.length).toBeLessThanOrEqual(width / 70 + 1);
      }
    },
  );

  it('are round, by a clock of 24 hours, with the day where there are several', () => {
    expect(labels(3 * HOUR, 300)).toEqual(['23:00', '00:00', '01:00']);
    expect(labels(90 * SECOND, 300)).toEqual(['22:48:00', '22:48:30', '22:49:00']);
    expect(labels(2 * DAY, 700).every((label) => /^\w+ \d+, \d\d:00$/.test(label))).toBe(true);
  });
});

it('names that touch stand in rows of their own, and none is beyond the edge', () => {
  const placed = inRows(
    [
      { text: 'plan-review', x: 20 },
      { text: 'code-review, task 1', x: 60 },
      { text: 'code-review, task 2', x: 290 },
    ],
    320,
  );
  expect(placed.map(({ row }) => row)).toEqual([0, 1, 0]);
  expect(Math.round(placed[2]?.x ?? 0)).toBe(191);
});
