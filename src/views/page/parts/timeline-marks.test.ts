import { describe, expect, it } from 'vitest';
import type { StopKind, StopView } from '../../../view/model.ts';
import { gather, LANES } from './timeline-marks.ts';

function stop(at: number, kind: StopKind = 'held'): StopView {
  const position = { segment: 1, offset: at };
  return {
    position,
    at,
    kind,
    step: '',
    why: `at ${at}`,
    state: null,
    client: '',
    session: null,
    milliseconds: 1,
  };
}

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

describe('marks of the timeline', () => {
  it('one for each stop where there is room, the oldest first', () => {
    const [newest, oldest] = [stop(1000, 'held'), stop(0, 'held')];
    const marks = gather([newest, oldest], 100);
    expect(marks).toEqual([
      { key: '1-0', stop: oldest, count: 1, from: 0 },
      { key: '1-1000', stop: newest, count: 1, from: 1000 },
    ]);
  });

  it('one for those that lie together, named after its first stop, with the newest to show', () => {
    // Ten milliseconds a pixel: nine pixels are ninety milliseconds.
    const stops = [stop(1000, 'held'), stop(90, 'held'), stop(89, 'held'), stop(0, 'held')];
    const marks = gather(stops, 100);
    expect(marks.map(({ key, count, stop: { at } }) => [key, count, at])).toEqual([
      ['1-0', 2, 89],
      ['1-90', 1, 90],
      ['1-1000', 1, 1000],
    ]);
  });

  it('stops of another kind have a row of their own', () => {
    const marks = gather([stop(1000, 'held'), stop(5, 'allowed'), stop(0, 'held')], 100);
    expect(marks.map(({ stop: { kind } }) => kind)).toEqual(['held', 'allowed', 'held']);
  });

  it('of one moment, or without any width, lie together', () => {
    expect(gather([stop(7), stop(7)], 100).map(({ count }) => count)).toEqual([2]);
    expect(gather([stop(900, 'held'), stop(0, 'held')], 0).map(({ count }) => count)).toEqual([2]);
  });

  it('held and allowed always have a row', () => {
    expect(LANES.filter(({ always }) => always).map(({ name }) => name)).toEqual(['held', 'allowed']);
    expect(LANES.map(({ name }) => name)).toEqual(['held', 'allowed', 'waits', 'let go', 'failed']);
  });
});
