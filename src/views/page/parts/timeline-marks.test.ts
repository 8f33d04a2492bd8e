import { expect, it } from 'vitest';
import type { StopKind, StopView } from '../../../view/model.ts';
import { gather } from './timeline-marks.ts';

const stop = (at: number, kind: StopKind = 'held') =>
  ({ position: { segment: 1, offset: at }, at, kind, why: `at ${at}` }) as StopView;

it('a mark for each stop where there is room, the oldest first', () => {
  const marks = gather([stop(3000), stop(2000), stop(1000)], 600);
  expect(marks.map(({ from, count }) => [from, count])).toEqual([
    [1000, 1],
    [2000, 1],
    [3000, 1],
  ]);
});

it('those of a kind that lie together are one mark, with the newest one’s why', () => {
  const marks = gather([stop(100_000), stop(1001, 'allowed'), stop(1001), stop(1000)], 600);
  expect(marks.map(({ stop: { kind, why }, count }) => [kind, why, count])).toEqual([
    ['held', 'at 1001', 2],
    ['allowed', 'at 1001', 1],
    ['held', 'at 100000', 1],
  ]);
});

it('however many there are, the marks are bounded', () => {
  const stops = Array.from({ length: 20_000 }, (_, index) => stop(20_000 - index));
  expect(gather(stops, 900).length).toBeLessThanOrEqual(101);
  expect(gather([], 900)).toEqual([]);
});
