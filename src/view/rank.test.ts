import { describe, expect, it } from 'vitest';
import { shownBudget, shownResult, shownRound, shownStop } from '../../test/support/shown-run.ts';
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

describe('what a run needs of a person', () => {
  const needs = (more: Partial<RankedBy>): string | null => needsOf({ ...plain, ...more });
  const atLimit = (what: string): Partial<RankedBy> => ({
    wait: { for: 'limit', since: 1, until: null, what },
    waiting: { ...shownWait, for: 'limit', text: 'Log in.' },
  });
  const trusted = { checks: ['t', 'u'], untrusted: ['t', 'u'], off: false, refusals: 0, text: '' };
  const letGo = {
    ...plain.sidecar,
    guard: { s: NO_GUARD_MEMORY, t: { ...NO_GUARD_MEMORY, released: true } },
  };

  it.each<[string, Partial<RankedBy>, string | null]>([
    ['nothing, while it goes on', {}, null],
    ['that its files are put right, though it is over', { live: false, unreadable: 'Broken.' }, 'Broken.'],
    ['nothing, once it is over', { live: false, wait: asked, waiting: shownWait, sidecar: letGo }, null],
    ['an answer', { wait: asked, waiting: shownWait }, 'It asks.'],
    ['nothing before its question is shown', { wait: { ...asked, shown: null }, waiting: shownWait }, null],
    ['nothing where nobody can say what it waits for', { wait: asked }, null],
    ['a login', atLimit('authentication_failed'), 'Log in.'],
    ['that a bill is settled', atLimit('billing_error'), 'Log in.'],
    ['nothing at a usage limit', atLimit('rate_limit'), null],
    ['nothing for what only ends like a known word', atLimit('no_billing_error'), null],
    ['nothing for what only begins like one', atLimit('billing_errors'), null],
    [
      'nothing for a login that cannot be put into words',
      { ...atLimit('billing_error'), waiting: null },
      null,
    ],
    [
      'nothing for work of that name',
      { wait: { for: 'work', since: 1, until: null, what: 'billing_error' }, waiting: shownWait },
      null,
    ],
    ['more to spend', { budget: shownBudget({ stage: 'paused', text: 'Paused.' }) }, 'Paused.'],
    ['nothing while its budget lasts', { budget: shownBudget({ stage: 'last-hold' }) }, null],
    [
      'a decision after it was let go',
      { sidecar: letGo },
      'It was let go: there was no progress. To go on, run `holdfast adopt toy:a` in its session, or `holdfast cancel toy:a`.',
    ],
    [
      'trust in its first check',
      { proof: trusted },
      'Nobody trusts its check "t", so what it claims stays unproven: look at it with `holdfast trust`.',
    ],
    ['no trust where checks are off', { proof: { ...trusted, off: true } }, null],
    ['no trust where all are trusted', { proof: { ...trusted, untrusted: [] } }, null],
  ])('is %s', (_, more, expected) => {
    expect(needs(more)).toBe(expected);
  });
});

describe('the rank of a run that needs nobody', () => {
  const end = (more: object) => ({
    live: false,
    end: { outcome: 'completed' as const, at: now, worth: null, why: [], ...more },
  });
  const results = (...ends: Parameters<typeof shownResult>[0][]) => ({
    checks: [{ name: 't', log: null, results: ends.map(shownResult) }],
  });

  it.each<[string, Partial<RankedBy>, string]>([
    ['that is over, nobody knows how', { live: false }, 'done'],
    ['that ended at no known time', end({ worth: 'unproven', at: null }), 'done'],
    ['that ended unproven a day ago', end({ worth: 'unproven', at: now - DAY }), 'failing'],
    ['that ended unproven longer ago', end({ worth: 'unproven', at: now - DAY - 1 }), 'done'],
    ['that was let go', end({ outcome: 'released' }), 'failing'],
    ['that was stuck', end({ outcome: 'stuck' }), 'failing'],
    ['that met its limit', end({ outcome: 'limit' }), 'failing'],
    ['that was cancelled', end({ outcome: 'cancelled' }), 'done'],
    ['that says nothing of its end', end({ outcome: null }), 'done'],
    ['that waits, though a check failed', { waiting: shownWait, ...results({ end: 'failed' }) }, 'waiting'],
    ['whose last stop failed', { lastStop: shownStop({ kind: 'failed' }) }, 'failing'],
    ['whose last stop was held', { lastStop: shownStop() }, 'running'],
    ['whose last review failed', { rounds: [shownRound(), shownRound({ verdict: 'failed' })] }, 'failing'],
    ['whose first review failed', { rounds: [shownRound({ verdict: 'failed' }), shownRound()] }, 'running'],
    ['whose check ran out of time', results({ end: 'timed-out' }), 'failing'],
    ['whose check cannot run', results({ end: 'cannot-run' }), 'failing'],
    ['whose check is not trusted', results({ end: 'untrusted' }), 'running'],
    ['whose check failed, then passed', results({ end: 'failed' }, {}), 'running'],
    ['whose check passed, then failed', results({}, { end: 'failed' }), 'failing'],
    ['whose check has not run', results(), 'running'],
  ])('%s', (_, more, expected) => {
    expect(rankOf({ ...plain, ...more }, null)).toBe(expected);
  });

  it('needs somebody before anything else', () => {
    expect(rankOf({ ...plain, live: false }, 'Look.')).toBe('needs-you');
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

  it.each<[Parameters<typeof forecastOf>, string]>([
    [[progress, null, []], 'at this pace at most 3 more rounds'],
    [[{ ...progress, at: 4 }, null, [0, 1000]], 'at this pace at most 1 more round, about 1 s'],
    [[{ ...progress, at: 5 }, null, [0, 1000]], 'at this pace at most 0 more rounds'],
    [[{ ...progress, at: 9 }, null, []], 'at this pace at most 0 more rounds'],
    [[{ ...progress, unit: 'review' }, 2, [0, 2000]], 'at this pace at most 2 more reviews, about 4 s'],
    [[null, 2, [0, 2000]], 'at this pace at most 2 more iterations, about 4 s'],
    [[null, 1, []], 'at this pace at most 1 more iteration'],
    [[null, 0, []], 'at this pace at most 0 more iterations'],
  ])('is put into words: %j', (given, text) => {
    expect(forecastOf(...given)?.text).toBe(text);
  });

  it.each([
    ['the lower of the two middle ones', [0, 1, 4, 10, 30], 3],
    ['the only one', [5, 9], 4],
    ['none of a moment, which says nothing', [3, 3, 3, 8], 5],
    ['none that runs backward', [9, 3, 5], 2],
    ['sorted by number', [0, 10, 12, 112], 10],
    ['of the last ten alone', [0, 100, 200, 300, ...[1, 2, 3, 4, 5, 6, 7, 8].map((each) => 300 + each)], 1],
    ['of ten spans', [0, 100, 200, 300, 400, 500, 501, 502, 503, 504, 505], 1],
    ['of no more than ten', [0, 1, 2, 3, 4, 5, 6, 106, 206, 306, 406, 506], 1],
    ['nobody’s without two times', [7], null],
    ['nobody’s where no time passed', [7, 7], null],
  ])('takes the span that is %s', (_, times, pace) => {
    expect(forecastOf(null, 1, times)?.milliseconds).toBe(pace);
  });
});
