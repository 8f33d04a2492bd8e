import { describe, expect, it } from 'vitest';
import { forecastOf } from './forecast.ts';
import type { Progress } from './model.ts';

const progress = (at: number, of: number | null): Progress => ({ unit: 'round', at, of });
const MINUTE = 60_000;
const every = (minutes: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => at * minutes * MINUTE);

describe('how much is still to come', () => {
  it.each<[string, Parameters<typeof forecastOf>, object | null]>([
    ['nothing bounds it', [null, null, []], null],
    ['its own bound is not known', [progress(3, null), null, every(1, 3)], null],
    ['its own bound', [progress(3, 10), null, []], { more: 7, text: 'at this pace at most 7 more rounds' }],
    ['one', [progress(9, 10), null, []], { more: 1, text: 'at this pace at most 1 more round' }],
    ['none', [progress(10, 10), null, []], { more: 0, text: 'at this pace at most 0 more rounds' }],
    ['less than none', [progress(12, 10), null, []], { more: 0, text: 'at this pace at most 0 more rounds' }],
    ['the lower bound', [progress(3, 10), 2, []], { more: 2, text: 'at this pace at most 2 more rounds' }],
    [
      'the other lower bound',
      [progress(3, 4), 2, []],
      { more: 1, text: 'at this pace at most 1 more round' },
    ],
    [
      'its budget alone',
      [null, 2, []],
      { more: 2, unit: 'iteration', text: 'at this pace at most 2 more iterations' },
    ],
    [
      'at a pace',
      [progress(3, 6), null, every(5, 2)],
      { more: 3, milliseconds: 15 * MINUTE, text: 'at this pace at most 3 more rounds, about 15 min' },
    ],
    [
      'none at a pace',
      [progress(6, 6), null, every(5, 2)],
      { more: 0, milliseconds: 0, text: 'at this pace at most 0 more rounds' },
    ],
  ])('%s', (_, given, forecast) => {
    expect(forecastOf(...given)).toEqual(
      forecast === null ? null : { unit: 'round', milliseconds: null, ...forecast },
    );
  });
});

describe('the pace', () => {
  const pace = (...times: number[]) => forecastOf(progress(0, 1), null, times)?.milliseconds;

  it.each<[string, number[], number | null]>([
    ['nobody knows of one alone', [5], null],
    ['is what one took', [5, 15], 10],
    ['is the middle one', [0, 10, 1000, 1030], 30],
    ['is the lower of two', [0, 10, 40], 10],
    ['does not count what took no time', [0, 0, 0, 10], 10],
    ['does not count what went back', [10, 0, 20], 20],
    ['is of the last ten', [0, 1000, ...Array.from({ length: 10 }, (_, at) => 1007 + at * 7)], 7],
  ])('%s', (_, times, milliseconds) => {
    expect(pace(...times)).toBe(milliseconds);
  });

  it('forgets what was before the last ten', () => {
    const slow = Array.from({ length: 12 }, (_, at) => at * 1000);
    const quick = Array.from({ length: 10 }, (_, at) => 11_000 + (at + 1) * 2);
    expect(pace(...slow, ...quick)).toBe(2);
    expect(pace(...slow, ...quick.slice(0, 5))).toBe(2);
    expect(pace(...slow, ...quick.slice(0, 4))).toBe(1000);
  });
});
