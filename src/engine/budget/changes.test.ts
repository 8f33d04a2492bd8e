import { describe, expect, it } from 'vitest';
import { answered, besideAnother, metered, raised, withMoney, withReview } from './changes.ts';
import { newBudget } from './pin.ts';
import { budgetAt, spentOf } from './rule.ts';
import type { Budget, Limits } from './types.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };

const budgetWith = (limits: Partial<Limits>): Budget =>
  newBudget('/root', 'a:b', { ...NONE, ...limits }, NOW, NOW);

const atStop = (budget: Budget, now: number): Budget => metered(budget, { now, usage: null, review: null });

function used(budget: Budget, tokens: number, now = NOW): Budget {
  const { meter } = budget;
  const usage = { before: meter, after: { ...meter, seen: [] }, used: { tokens, cacheRead: 3 } };
  return metered(budget, { now, usage, review: null });
}

describe('the hours', () => {
  it('count from the start, and from stop to stop', () => {
    const first = atStop(budgetWith({ timeMs: HOUR }), NOW + 10);
    expect(atStop(first, NOW + 25).spent.timeMs).toBe(25);
  });

  it('stand still while the run waits, and go on when the wait is over', () => {
    const still = { for: 'work', since: NOW + 10, until: NOW + 30 } as const;
    const waits = answered(atStop(budgetWith({ timeMs: HOUR }), NOW + 10), { kind: 'allowed', still });
    expect(atStop(waits, NOW + 20).spent.timeMs).toBe(10);
    expect(atStop(waits, NOW + 50).spent.timeMs).toBe(30);
  });

  it('stand still after a stop that was allowed, however long nobody comes back', () => {
    const still = { for: 'limit', since: NOW + 10, until: null } as const;
    const allowed = answered(atStop(budgetWith({ timeMs: HOUR }), NOW + 10), { kind: 'allowed', still });
    expect(atStop(allowed, NOW + 90 * HOUR).spent.timeMs).toBe(10);
  });

  it('stand still while another run of the session is the one held, whatever this one waited for', () => {
    const beside = (budget: Budget, now: number): Budget => besideAnother(atStop(budget, now), now);
    const work = { for: 'work', since: NOW + 10, until: NOW + 20 } as const;
    const held = atStop(budgetWith({ timeMs: HOUR }), NOW + 10);
    for (const budget of [held, answered(held, { kind: 'allowed', still: work })]) {
      const passed = beside(beside(beside(budget, NOW + 10), NOW + HOUR), NOW + 60 * HOUR);
      expect(passed.meter.isHeld).toBe(false);
      const back = atStop(passed, NOW + 90 * HOUR);
      expect(back.spent.timeMs).toBe(10);
      expect(atStop(back, NOW + 90 * HOUR + 5).spent.timeMs).toBe(15);
    }
  });

  it('of a paused run are left as they are', () => {
    const paused = answered(budgetWith({ timeMs: 1 }), { kind: 'paused', now: NOW });
    expect(besideAnother(paused, NOW + HOUR).clock).toEqual(paused.clock);
  });

  it('never go back, whatever the clock does', () => {
    const budget = atStop(budgetWith({ timeMs: HOUR }), NOW + 100);
    const back = atStop(budget, NOW - 500);
    expect(back.spent.timeMs).toBe(100);
    expect(atStop(back, NOW + 110).spent.timeMs).toBe(110);
  });
});

describe('what another hook has counted', () => {
  it('is not counted again: both read from the same place', () => {
    const budget = budgetWith({ tokens: 100 });
    const usage = {
      before: budget.meter,
      after: { ...budget.meter, session: 's' },
      used: { tokens: 40, cacheRead: 0 },
    };
    const once = metered(budget, { now: NOW, usage, review: null });
    expect(metered(once, { now: NOW, usage, review: null }).spent.tokens).toBe(40);
  });

  it('is not counted again where it is a review', () => {
    const review = { key: 'r1', counts: true, tokens: 7, cacheRead: 1, usd: 0.25 };
    const once = withReview(budgetWith({ reviews: 2 }), review);
    expect(withReview(once, review).spent).toEqual({ ...once.spent });
    expect(once.spent).toMatchObject({ tokens: 7, cacheRead: 1, reviews: 1, usd: 0.25 });
  });

  it('a review without a verdict costs what it cost, and is none', () => {
    const review = { key: 'r1', counts: false, tokens: 7, cacheRead: 0, usd: 1 };
    expect(withReview(budgetWith({}), review).spent).toMatchObject({ tokens: 7, reviews: 0, usd: 1 });
  });
});

describe('money', () => {
  it('is the difference of totals, and a total that is lower counts nothing', () => {
    const first = withMoney(budgetWith({ usd: 5 }), 's1', 1.1);
    const second = withMoney(withMoney(first, 's1', 1.3), 's1', 0.2);
    expect(second.spent.usd).toBe(1.3);
    expect(withMoney(second, 's2', 0.5).spent.usd).toBe(1.8);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0])('%d is none', (total) => {
    expect(withMoney(budgetWith({ usd: 5 }), 's1', total).spent.usd).toBe(0);
  });
});

describe('spent', () => {
  it('is one last hold, then a pause, then nothing more', () => {
    const question = (budget: Budget) => ({ ...budget, due: 'hold' as const });
    const budget = used(budgetWith({ tokens: 10 }), 12);
    expect(budgetAt(question(budget))).toBe('last-hold');
    const last = answered(budget, { kind: 'last-hold', due: 'hold' });
    expect(budgetAt(question(last))).toBe('pause');
    const paused = answered(last, { kind: 'paused', now: NOW });
    expect(budgetAt(question(paused))).toBe('stays-paused');
    expect(used(paused, 5, NOW + HOUR).spent.timeMs).toBe(0);
  });

  it('reviews keep back a review alone', () => {
    const spent = { ...budgetWith({}).spent, reviews: 2 };
    const limits = { ...NONE, reviews: 2 };
    expect([spentOf(limits, spent, 'hold'), spentOf(limits, spent, 'review')]).toEqual([[], ['reviews']]);
  });
});

describe('more', () => {
  const paused = answered(
    answered(used(budgetWith({ tokens: 10, timeMs: HOUR }), 12), { kind: 'last-hold', due: 'hold' }),
    {
      kind: 'paused',
      now: NOW,
    },
  );

  it('brings a paused run back, and the meter stays where it is', () => {
    const back = raised(paused, { tokens: 10 }, NOW + HOUR);
    expect(back).toMatchObject({
      stage: 'open',
      pausedAt: null,
      limits: { tokens: 20 },
      spent: paused.spent,
    });
    expect(back.meter.pauses).toEqual([{ from: NOW, to: NOW + HOUR }]);
    expect(atStop(back, NOW + HOUR + 5).spent.timeMs).toBe(5);
  });

  it('that is too little leaves it paused', () => {
    expect(raised(paused, { tokens: 2 }, NOW).stage).toBe('paused');
  });

  it('of what was not spent leaves it paused, and adds to no limit that is not there', () => {
    const next = raised(paused, { timeMs: HOUR, usd: 5 }, NOW);
    expect(next).toMatchObject({ stage: 'paused', limits: { timeMs: 2 * HOUR, usd: null } });
  });
});

describe('lists that are kept', () => {
  it('hold the last fifty reviews: an older one would count again', () => {
    const review = (key: string) => ({ key, counts: true, tokens: 0, cacheRead: 0, usd: 0 });
    const keys = Array.from({ length: 51 }, (_, index) => `r${index}`);
    const all = keys.reduce((budget, key) => withReview(budget, review(key)), budgetWith({}));
    expect(all.reviewed).toEqual(keys.slice(1));
    expect(withReview(all, review('r1')).spent.reviews).toBe(51);
    expect(withReview(all, review('r0')).spent.reviews).toBe(52);
  });

  it('hold the last twenty pauses', () => {
    const pauses = Array.from({ length: 20 }, (_, index) => ({ from: index, to: index + 1 }));
    const open = budgetWith({ tokens: 10 });
    const paused: Budget = { ...open, stage: 'paused', pausedAt: 50, meter: { ...open.meter, pauses } };
    expect(raised(paused, {}, 60).meter.pauses).toEqual([...pauses.slice(1), { from: 50, to: 60 }]);
  });
});

describe('a stop', () => {
  it('counts what was used and a review that ended, and moves the meter on', () => {
    const budget = budgetWith({ tokens: 100 });
    const after = { ...budget.meter, session: 's' };
    const usage = { before: budget.meter, after, used: { tokens: 5, cacheRead: 6 } };
    const review = { key: 'r1', counts: true, tokens: 7, cacheRead: 1, usd: 0.25 };
    const next = metered(budget, { now: NOW + 2, usage, review });
    expect(next.spent).toEqual({ tokens: 12, cacheRead: 7, timeMs: 2, reviews: 1, usd: 0.25 });
    expect(next.meter).toEqual(after);
    expect(next.reviewed).toEqual(['r1']);
    expect(next.clock).toEqual({ at: NOW + 2, still: null });
  });

  it('of a paused run counts no time', () => {
    const paused = answered(budgetWith({ timeMs: 1 }), { kind: 'paused', now: NOW });
    expect(atStop(paused, NOW + HOUR)).toEqual(paused);
    expect(paused.pausedAt).toBe(NOW);
  });
});

describe('an answer', () => {
  const budget = budgetWith({ tokens: 10 });
  const review = { key: 'r1', counts: true, tokens: 7, cacheRead: 0, usd: 0 };

  it('that holds is one hold more', () => {
    const held = answered(budget, { kind: 'held', review: null });
    expect(held).toEqual({ ...budget, holds: 1 });
  });

  it('that holds with a review counts it as well, once', () => {
    const held = answered(budget, { kind: 'held', review });
    expect(held).toMatchObject({ holds: 1, reviewed: ['r1'], spent: { tokens: 7, reviews: 1 } });
    expect(answered(held, { kind: 'held', review })).toEqual({ ...held, holds: 2 });
  });

  it('that is the last hold says what was due', () => {
    const last = answered(budget, { kind: 'last-hold', due: 'review' });
    expect(last).toEqual({ ...budget, stage: 'last-hold', due: 'review', holds: 1 });
  });

  it('that lets the agent go stops the clock, of a run that is not paused', () => {
    const still = { for: 'person', since: NOW, until: null } as const;
    expect(answered(budget, { kind: 'allowed', still }).clock).toEqual({ at: NOW, still, wakes: true });
    const paused = answered(budget, { kind: 'paused', now: NOW });
    expect(answered(paused, { kind: 'allowed', still })).toEqual(paused);
  });
});

describe('more for a run that is not paused', () => {
  const last = answered(used(budgetWith({ tokens: 10 }), 12), { kind: 'last-hold', due: 'hold' });

  it('opens it again after its last hold, without a pause', () => {
    const next = raised(last, { tokens: 10 }, NOW + HOUR);
    expect(next).toEqual({ ...last, stage: 'open', limits: { ...NONE, tokens: 20 } });
  });

  it('that is just what was spent does not do', () => {
    expect(raised(last, { tokens: 2 }, NOW).stage).toBe('last-hold');
    expect(raised(last, { tokens: 3 }, NOW).stage).toBe('open');
  });

  it('adds dollars to a millionth, and whole numbers to all else', () => {
    const budget = budgetWith({ tokens: 10, timeMs: 20, reviews: 30, usd: 0.1 });
    expect(raised(budget, { tokens: 1, timeMs: 2, reviews: 3, usd: 0.2 }, NOW).limits).toEqual({
      ...{ tokens: 11, timeMs: 22, reviews: 33, usd: 0.3 },
    });
  });

  it('leaves a limit that gets nothing as it was', () => {
    const budget = budgetWith({ tokens: 10, reviews: 3 });
    expect(raised(budget, { tokens: 1, reviews: null }, NOW).limits).toEqual({
      ...NONE,
      ...{ tokens: 11, reviews: 3 },
    });
  });

  it('begins a pause whose time is not known where it is granted', () => {
    const paused: Budget = { ...last, stage: 'paused', pausedAt: null };
    expect(raised(paused, { tokens: 10 }, NOW + 7).meter.pauses).toEqual([{ from: NOW + 7, to: NOW + 7 }]);
  });

  it('never sets the clock back', () => {
    const paused: Budget = { ...last, stage: 'paused', pausedAt: NOW };
    expect(raised(paused, { tokens: 10 }, NOW - 7).clock).toEqual({ at: NOW, still: null });
  });
});

it('money of a session is what it has cost on top of what is known of it', () => {
  const budget = withMoney(budgetWith({ usd: 5 }), 's1', 1);
  expect(withMoney(budget, 's1', 1)).toBe(budget);
  expect(withMoney(budget, 's1', 1.000001)).toMatchObject({
    spent: { usd: 1.000001 },
    money: { s1: 1.000001 },
  });
  expect(withMoney(budgetWith({}), 'constructor', 0.5).money).toEqual({ constructor: 0.5 });
});

it('whatever is reported, a record stays one that can be written and read again', () => {
  const budget = used(used(budgetWith({ tokens: 10 }), Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  expect(budget.spent.tokens).toBe(Number.MAX_SAFE_INTEGER);
});
