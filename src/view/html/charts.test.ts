import { describe, expect, it } from 'vitest';
import {
  NO_LIMITS,
  shownBudget,
  shownResult,
  shownRound,
  shownStop,
} from '../../../test/support/shown-run.ts';
import type { BudgetView, RoundView } from '../model.ts';
import { burnDown, checkBars, roundBars, timeline } from './charts.ts';

const MINUTE = 60_000;
/** The values of an attribute, in the picture's order. */
const all = (svg: string, attribute: string): string[] =>
  [...svg.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
const numbers = (svg: string, attribute: string): number[] => all(svg, attribute).map(Number);

describe('stops on a line of time', () => {
  it('lie between the first and the last, the newest at the right, each with what it was', () => {
    const stops = [
      shownStop({ at: 4 * MINUTE, kind: 'allowed', why: 'Done & over.' }),
      shownStop({ at: MINUTE, kind: 'let-go' }),
      shownStop({ at: 0 }),
    ];
    expect(timeline(stops)).toBe(
      '<svg viewBox="0 0 720 40" role="img" aria-label="Stops over time">' +
        '<line class="axis" x1="10" x2="710" y1="20" y2="20"/>' +
        '<circle class="held" cx="10" cy="20" r="5"><title>1970-01-01 00:00 UTC, held: It said so.</title></circle>' +
        '<circle class="let-go" cx="185" cy="20" r="5"><title>1970-01-01 00:01 UTC, let-go: It said so.</title></circle>' +
        '<circle class="allowed" cx="710" cy="20" r="5"><title>1970-01-01 00:04 UTC, allowed: Done &#38; over.</title></circle>' +
        '</svg>',
    );
  });

  it('begin at the left whatever the clock says, and keep one place after the point', () => {
    const at = (...times: number[]) => numbers(timeline(times.map((each) => shownStop({ at: each }))), 'cx');
    expect(at(1003, 1001, 1000)).toEqual([10, 243.3, 710]);
    expect(at(1001, 1000)).toEqual([10, 710]);
    expect(at(1000)).toEqual([10]);
    expect(at(1000, 1000)).toEqual([10, 10]);
    expect(at()).toEqual([]);
  });
});

describe('findings by round', () => {
  const found = (high: number, medium: number, low: number): Partial<RoundView> => ({
    found: { high, medium, low },
  });

  it('are stacked by severity below the verdict, with the number of the round', () => {
    const rounds = [
      shownRound({ ...found(1, 2, 1), number: 1, verdict: 'findings', about: '<plan>' }),
      shownRound({ ...found(0, 0, 1), number: 2, verdict: 'none' }),
    ];
    expect(roundBars(rounds)).toBe(
      '<svg viewBox="0 0 720 168" role="img" aria-label="Findings by round and severity">' +
        '<g><title>&#60;plan&#62;, round 1: findings; 1 high, 2 medium, 1 low</title>' +
        '<text class="verdict findings" x="26.8" y="14">✗</text>' +
        '<rect class="high" x="10" y="114" width="33.6" height="30"/>' +
        '<rect class="medium" x="10" y="54" width="33.6" height="60"/>' +
        '<rect class="low" x="10" y="24" width="33.6" height="30"/>' +
        '<text class="label" x="26.8" y="160">1</text></g>' +
        '<g><title>round 2: no verdict; 0 high, 0 medium, 1 low</title>' +
        '<text class="verdict none" x="74.8" y="14">·</text>' +
        '<rect class="low" x="58" y="114" width="33.6" height="30"/>' +
        '<text class="label" x="74.8" y="160">2</text></g></svg>',
    );
  });

  it('are as high as their part of the most that one round found', () => {
    const heights = (...rounds: Partial<RoundView>[]) =>
      numbers(roundBars(rounds.map((each) => shownRound(each))), 'height');
    expect(heights(found(1, 0, 0))).toEqual([120]);
    expect(heights(found(3, 0, 0), found(0, 1, 0))).toEqual([120, 40]);
    expect(heights(found(0, 3, 4), found(0, 0, 1))).toEqual([51.4, 68.6, 17.1]);
    expect(heights(found(0, 0, 0))).toEqual([]);
  });

  it('stand closer where there are many', () => {
    const widths = (count: number) =>
      numbers(roundBars(Array.from({ length: count }, () => shownRound(found(1, 0, 0)))), 'width');
    expect(widths(14)[0]).toBe(33.6);
    expect(widths(15)[0]).toBe(32.7);
    const bars = roundBars(Array.from({ length: 20 }, () => shownRound(found(1, 0, 0))));
    expect(numbers(bars, 'width')[0]).toBe(24.5);
    expect([...bars.matchAll(/<rect class="high" x="([^"]*)"/g)].at(-1)?.[1]).toBe('675');
  });

  it('are an empty picture without rounds', () => {
    expect(roundBars([])).toBe(
      '<svg viewBox="0 0 720 168" role="img" aria-label="Findings by round and severity"></svg>',
    );
  });
});

describe('what is left of a budget', () => {
  const spent = (at: number, more: object = {}): BudgetView['burn'][number] => ({
    ...{ at, tokens: 0, timeMs: 0, reviews: 0, usd: 0 },
    ...more,
  });
  const down = (limits: Partial<BudgetView['limits']>, ...burn: BudgetView['burn']): string =>
    burnDown(shownBudget({ limits: { ...NO_LIMITS, ...limits }, burn }));

  it('goes down from stop to stop, and no further than to the floor', () => {
    const burn = [
      spent(1000, { tokens: 0 }),
      spent(2000, { tokens: 30 }),
      spent(5000, { tokens: 100 }),
      spent(9000, { tokens: 130 }),
    ];
    expect(down({ tokens: 100 }, ...burn)).toBe(
      '<svg viewBox="0 0 720 100" role="img" aria-label="What is left of the budget">' +
        '<line class="axis" x1="10" x2="710" y1="90" y2="90"/>' +
        '<polyline class="burn" points="10,10 97.5,34 360,90 710,90"/></svg>',
    );
  });

  it('is of the first limit that there is: tokens, time, money, reviews', () => {
    const burn = [spent(0), spent(1, { tokens: 1, timeMs: 2, usd: 3, reviews: 4 })];
    const points = (limits: Partial<BudgetView['limits']>) => all(down(limits, ...burn), 'points')[0];
    expect(points({ tokens: 8, timeMs: 8, usd: 8, reviews: 8 })).toBe('10,10 710,20');
    expect(points({ timeMs: 8, usd: 8, reviews: 8 })).toBe('10,10 710,30');
    expect(points({ usd: 8, reviews: 8 })).toBe('10,10 710,40');
    expect(points({ reviews: 8 })).toBe('10,10 710,50');
    expect(points({ reviews: 3 })).toBe('10,10 710,90');
  });

  it('keeps one place after the point, also where all stops are of one moment', () => {
    expect(all(down({ tokens: 3 }, spent(0, { tokens: 1 }), spent(1), spent(3)), 'points')[0]).toBe(
      '10,36.7 243.3,10 710,10',
    );
    expect(all(down({ tokens: 3 }, spent(5), spent(5)), 'points')[0]).toBe('10,10 10,10');
  });

  it('is no picture without a limit, with one of nothing, or with a single stop', () => {
    expect(down({}, spent(0), spent(1))).toBe('');
    expect(down({ tokens: 0 }, spent(0), spent(1))).toBe('');
    expect(down({ tokens: 1 }, spent(0))).toBe('');
    expect(down({ tokens: 1 })).toBe('');
    expect(down({ tokens: 1 }, spent(0), spent(1))).not.toBe('');
  });
});

describe('how long a check took', () => {
  it('is a bar for each result, the longest of full height, each with what it was', () => {
    const results = [
      shownResult({ at: 0, milliseconds: 8000 }),
      shownResult({ at: MINUTE, end: 'failed', milliseconds: 2000 }),
      shownResult({ at: 2 * MINUTE, end: 'cannot-run' }),
    ];
    expect(checkBars({ name: 'te"st', log: null, results })).toBe(
      '<svg viewBox="0 0 720 60" role="img" aria-label="How long te&#34;st took">' +
        '<rect class="passed" x="10" y="6" width="8.2" height="50"><title>1970-01-01 00:00 UTC: passed, 8 s</title></rect>' +
        '<rect class="failed" x="21.7" y="43.5" width="8.2" height="12.5"><title>1970-01-01 00:01 UTC: failed, 2 s</title></rect>' +
        '<rect class="cannot-run" x="33.3" y="53" width="8.2" height="3"><title>1970-01-01 00:02 UTC: cannot-run</title></rect>' +
        '</svg>',
    );
  });

  it('shows the last sixty, by the longest of those', () => {
    const results = [
      shownResult({ at: 0, milliseconds: 9000 }),
      ...Array.from({ length: 60 }, () => shownResult({ milliseconds: 3000 })),
    ];
    const bars = checkBars({ name: 'test', log: null, results });
    expect(numbers(bars, 'height')).toEqual(Array.from({ length: 60 }, () => 50));
    expect(numbers(bars, 'x').at(-1)).toBe(698.3);
    expect(
      numbers(checkBars({ name: 't', log: null, results: results.slice(0, 60) }), 'height'),
    ).toHaveLength(60);
  });

  it('is a low bar where nothing took any time', () => {
    const results = [shownResult({ milliseconds: 0 }), shownResult({ milliseconds: null })];
    expect(numbers(checkBars({ name: 'test', log: null, results }), 'height')).toEqual([3, 3]);
    const single = [shownResult({ milliseconds: 1 })];
    expect(numbers(checkBars({ name: 'test', log: null, results: single }), 'height')).toEqual([50]);
  });
});
