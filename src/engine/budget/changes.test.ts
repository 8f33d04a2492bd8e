import { describe, expect, it } from 'vitest';
import { answered, besideAnother, metered, raised, withMoney, withReview } from './changes.ts';
import { newBudget } from './pin.ts';
import type { Budget, Limits } from './types.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };
const REVIEW = { key: 'r1', counts: true, tokens: 7, cacheRead: 1, usd: 0.25 };

const budgetWith = (limits: Partial<Limits>, more: Partial<Budget> = {}): Budget => ({
  ...newBudget('/root', 'a:b', { ...NONE, ...limits }, NOW, NOW),
  ...more,
});
const atStop = (budget: Budget, now: number): Budget => metered(budget, { now, usage: null, review: null });
const allowed = (budget: Budget, kind: 'work' | 'limit', until: number | null): Budget =>
  answered(budget, { kind: 'allowed', still: { for: kind, since: budget.clock.at, until } });

describe('the hours', () => {
  const first = atStop(budgetWith({}), NOW + 10);

  it.each<[string, Budget, number, number]>([
    ['count from the start, and from stop to stop', first, NOW + 25, 25],
    ['stand still while the run waits', allowed(first, 'work', NOW + 30), NOW + 20, 10],
    ['go on when the wait is over', allowed(first, 'work', NOW + 30), NOW + 50, 30],
    ['stand still after a stop that was allowed', allowed(first, 'limit', null), NOW + 90 * HOUR, 10],
    ['never go back with the clock', atStop(first, NOW - 500), NOW + 20, 20],
    [
      'stand still while the run is paused',
      answered(first, { kind: 'paused', now: NOW + 10 }),
      NOW + HOUR,
      10,
    ],
  ])('%s', (_, budget, now, spent) => {
    expect(atStop(budget, now).spent.timeMs).toBe(spent);
  });

  it('stand still while another run of the session is the one held, whatever this one waited for', () => {
    const beside = (budget: Budget, now: number): Budget => besideAnother(atStop(budget, now), now);
    for (const budget of [first, allowed(first, 'work', NOW + 20)]) {
      const passed = beside(beside(beside(budget, NOW + 10), NOW + HOUR), NOW + 60 * HOUR);
      expect(passed.meter.isHeld).toBe(false);
      const back = atStop(passed, NOW + 90 * HOUR);
      expect([back.spent.timeMs, atStop(back, NOW + 90 * HOUR + 5).spent.timeMs]).toEqual([10, 15]);
    }
    const paused = answered(first, { kind: 'paused', now: NOW });
    expect(besideAnother(paused, NOW + HOUR).clock).toEqual(paused.clock);
  });
});

describe('a stop', () => {
  const budget = budgetWith({ tokens: 100 });
  const after = { ...budget.meter, session: 's' };
  const usage = { before: budget.meter, after, used: { tokens: 5, cacheRead: 6 } };

  it('counts what was used and a review that ended, and nothing that another hook has counted', () => {
    const next = metered(budget, { now: NOW + 2, usage, review: REVIEW });
    expect(next.spent).toEqual({ tokens: 12, cacheRead: 7, timeMs: 2, reviews: 1, usd: 0.25 });
    expect(next).toMatchObject({ meter: after, reviewed: ['r1'], clock: { at: NOW + 2, still: null } });
    expect(metered(next, { now: NOW + 2, usage, review: REVIEW }).spent).toEqual(next.spent);
  });

  it('counts what a review without a verdict cost, and no review', () => {
    expect(withReview(budget, { ...REVIEW, counts: false }).spent).toMatchObject({
      tokens: 7,
      reviews: 0,
      usd: 0.25,
    });
  });

  it('keeps a sum that can be written and read again', () => {
    const used = { tokens: Number.MAX_SAFE_INTEGER, cacheRead: 0 };
    const once = metered(budget, {
      now: NOW,
      usage: { ...usage, after: budget.meter, used },
      review: REVIEW,
    });
    expect(once.spent.tokens).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('keeps the last fifty reviews: an older one would count again', () => {
    const keys = Array.from({ length: 51 }, (_, index) => `r${index}`);
    const all = keys.reduce((known, key) => withReview(known, { ...REVIEW, key }), budget);
    expect(all.reviewed).toEqual(keys.slice(1));
    expect(['r1', 'r0'].map((key) => withReview(all, { ...REVIEW, key }).spent.reviews)).toEqual([51, 52]);
  });
});

describe('money', () => {
  it('is the difference of a session’s totals, and a lower total counts nothing', () => {
    const first = withMoney(budgetWith({ usd: 5 }), 's1', 1.1);
    const second = withMoney(withMoney(first, 's1', 1.300001), 's1', 0.2);
    expect(second.spent.usd).toBe(1.300001);
    expect(withMoney(second, 's2', 0.5).spent.usd).toBe(1.800001);
    expect(withMoney(budgetWith({}), 'constructor', 0.5).spent.usd).toBe(0.5);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0])('%d is none', (total) => {
    expect(withMoney(budgetWith({ usd: 5 }), 's1', total).spent.usd).toBe(0);
  });
});

it('an answer is put down: a hold and its review, the last hold, a pause, a stop that is allowed', () => {
  const budget = budgetWith({ tokens: 10 });
  const held = answered(budget, { kind: 'held', review: REVIEW });
  expect(held).toMatchObject({ holds: 1, reviewed: ['r1'], spent: { tokens: 7, reviews: 1 } });
  expect(answered(held, { kind: 'held', review: REVIEW })).toEqual({ ...held, holds: 2 });
  const last = answered(budget, { kind: 'last-hold', due: 'review' });
  expect(last).toEqual({ ...budget, stage: 'last-hold', due: 'review', holds: 1 });
  const paused = answered(budget, { kind: 'paused', now: NOW });
  expect(paused).toEqual({ ...budget, stage: 'paused', pausedAt: NOW });
  const still = { for: 'person', since: NOW, until: null } as const;
  expect(answered(budget, { kind: 'allowed', still }).clock).toEqual({ at: NOW, still, wakes: true });
  expect(answered(paused, { kind: 'allowed', still })).toEqual(paused);
});

describe('more', () => {
  const spent = { ...budgetWith({}).spent, tokens: 12 };
  const last = budgetWith({ tokens: 10, timeMs: HOUR }, { spent, stage: 'last-hold' });
  const paused: Budget = { ...last, stage: 'paused', pausedAt: NOW };

  it('brings a paused run back, and what was used in the pause is passed over', () => {
    const back = raised(paused, { tokens: 10 }, NOW + HOUR);
    expect(back).toMatchObject({ stage: 'open', pausedAt: null, limits: { tokens: 20 }, spent });
    expect(back.meter.pauses).toEqual([{ from: NOW, to: NOW + HOUR }]);
    expect(atStop(back, NOW + HOUR + 5).spent.timeMs).toBe(5);
    expect(raised(paused, { tokens: 10 }, NOW - 7).clock.at).toBe(NOW);
    expect(raised({ ...paused, pausedAt: null }, { tokens: 9 }, NOW).meter.pauses).toEqual([
      { from: NOW, to: NOW },
    ]);
  });

  it('opens a run again after its last hold, without a pause', () => {
    const next = raised(last, { tokens: 10 }, NOW + HOUR);
    expect(next).toEqual({ ...last, stage: 'open', limits: { ...last.limits, tokens: 20 } });
  });

  it('that is too little, or of what was not spent, brings nothing back', () => {
    expect([2, 3].map((tokens) => raised(last, { tokens }, NOW).stage)).toEqual(['last-hold', 'open']);
    const next = raised(paused, { timeMs: HOUR, usd: 5 }, NOW);
    expect(next).toMatchObject({ stage: 'paused', limits: { tokens: 10, timeMs: 2 * HOUR, usd: null } });
  });

  it('adds dollars to a millionth, and whole numbers to all else', () => {
    const budget = budgetWith({ tokens: 10, timeMs: 20, reviews: 30, usd: 0.1 });
    const limits = { tokens: 11, timeMs: 22, reviews: 33, usd: 0.3 };
    expect(raised(budget, { tokens: 1, timeMs: 2, reviews: 3, usd: 0.2 }, NOW).limits).toEqual(limits);
  });

  it('keeps the last twenty pauses', () => {
    const pauses = Array.from({ length: 20 }, (_, index) => ({ from: index, to: index + 1 }));
    const often = { ...paused, pausedAt: 50, meter: { ...paused.meter, pauses } };
    expect(raised(often, { tokens: 9 }, 60).meter.pauses).toEqual([...pauses.slice(1), { from: 50, to: 60 }]);
  });
});
