import { describe, expect, it } from 'vitest';
import { forecastOf } from './forecast.ts';
import type { Progress } from './model.ts';

const progress = (at: number, of: number | null): Progress => ({ unit: 'round', at, of });
const MINUTE = 60_000;
const every = (minutes: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => at * minutes * MINUTE);

describe('how much is still to come', () => {
  const two = every(5, 2);
  it.each<[string, Parameters<typeof forecastOf>, string | undefined]>([
    ['nothing bounds it', [null, null, two], undefined],
    ['its own bound is not known', [progress(3, null), null, two], undefined],
    ['too early to say', [progress(3, 10), 2, every(5, 1)], undefined],
    ['its own bound', [progress(3, 10), null, two], 'at this pace at most 7 more rounds, about 35 min'],
    ['one', [progress(9, 10), 2, two], 'at this pace at most 1 more round, about 5 min'],
    ['less than none', [progress(12, 10), null, two], 'at this pace at most 0 more rounds'],
    ['the lower bound', [progress(3, 10), 2, two], 'at this pace at most 2 more rounds, about 10 min'],
    ['its budget alone', [null, 2, two], 'at this pace at most 2 more iterations, about 10 min'],
  ])('%s', (_, given, text) => {
    expect(forecastOf(...given)?.text).toBe(text);
  });
});

describe('the pace', () => {
  const pace = (...times: number[]) => forecastOf(progress(0, 1), null, times)?.milliseconds;

  it.each<[string, number[], number]>([
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
