import { describe, expect, it } from 'vitest';
import { NO_GUARD_MEMORY, newSidecar, type Waiting } from '../store/records.ts';
import { forecastOf } from './forecast.ts';
import { needsOf, type RankedBy, rankOf } from './rank.ts';

const DAY = 86_400_000;
const now = 100 * DAY;
const plain: RankedBy = {
  ...{ name: 'toy:a', live: true, sidecar: newSidecar('toy:a'), wait: null, waiting: null, budget: null },
  ...{ proof: null, checks: [], rounds: [], end: null, lastStop: null, unreadable: null, now },
};
const rank = (more: Partial<RankedBy>): string => {
  const run = { ...plain, ...more };
  return rankOf(run, needsOf(run));
};
const asked: Waiting = {
  for: 'person',
  since: 1,
  until: now + 1,
  what: 'Which?',
  shown: { marker: null, turn: null },
};
const shownWait = { for: 'person' as const, since: 1, until: 2, what: 'x', reviewer: null, text: 'It asks.' };
const position = { segment: 1, offset: 0 };
const check = (end: 'passed' | 'failed') => ({
  name: 'test',
  log: null,
  results: [{ at: 1, end, code: 0, milliseconds: 1, receipt: false, flaky: false, position }],
});

describe('a run’s rank', () => {
  it.each<[string, Partial<RankedBy>, string]>([
    ['goes on', {}, 'running'],
    ['asks', { wait: asked, waiting: shownWait }, 'needs-you'],
    ['will ask at its next stop', { wait: { ...asked, shown: null }, waiting: shownWait }, 'waiting'],
    [
      'was let go',
      { sidecar: { ...plain.sidecar, guard: { s: { ...NO_GUARD_MEMORY, released: true } } } },
      'needs-you',
    ],
    [
      'has a check that nobody trusts',
      { proof: { checks: ['t'], untrusted: ['t'], off: false, refusals: 0, text: '' } },
      'needs-you',
    ],
    ['cannot be read', { live: false, unreadable: 'It cannot be read.' }, 'needs-you'],
    ['has a check that failed', { checks: [check('failed')] }, 'failing'],
    ['has one that passed', { checks: [check('passed')] }, 'running'],
    ['ended well', { live: false, end: { outcome: 'completed', at: now, worth: 'proven', why: [] } }, 'done'],
    [
      'ended unproven today',
      { live: false, end: { outcome: 'completed', at: now, worth: 'unproven', why: [] } },
      'failing',
    ],
    [
      'was released long ago',
      { live: false, end: { outcome: 'released', at: now - 2 * DAY, worth: null, why: [] } },
      'done',
    ],
  ])('that %s', (_, more, expected) => {
    expect(rank(more)).toBe(expected);
  });
});

describe('a forecast', () => {
  const progress = { unit: 'round' as const, at: 2, of: 5 };
  it('is what is left, times the usual span between two', () => {
    const times = [0, 10, 20, 30, 5000].map((minute) => minute * 60_000);
    expect(forecastOf(progress, null, times)).toMatchObject({ more: 3, milliseconds: 30 * 60_000 });
    expect(forecastOf(progress, null, times)?.text).toBe('at this pace at most 3 more rounds, about 30 min');
  });

  it('is bounded by the budget, and unknown without a bound', () => {
    expect(forecastOf(progress, 1, [])).toMatchObject({ more: 1, milliseconds: null });
    expect(forecastOf({ ...progress, of: null }, 4, [0, 1000])).toMatchObject({ more: 4 });
    expect(forecastOf({ ...progress, of: null }, null, [0, 1])).toBeNull();
    expect(forecastOf(null, null, [])).toBeNull();
  });
});
