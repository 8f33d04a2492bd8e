// What a budget becomes: by a stop that is metered, by its answer, by a person who grants more. Pure; nothing in here
// ever lowers what was spent.

import type { Work } from './read-work.ts';
import { KINDS, type Kind, spentOf } from './rule.ts';
import { marksUpTo, worked } from './spans.ts';
import type { Budget, Clock, Due, Limits, Meter, Still, Used } from './types.ts';

/** As many as can be under way, and some to spare. */
const REVIEWS_KEPT = 50;
/** Older ones lie before every place that is still read from. */
const PAUSES_KEPT = 20;
/** More than a driver starts and ends a client without a stop. */
const MARKS_KEPT = 1000;

export type CountedReview = {
  /** The same review has the same one, whichever hook counts it. */
  key: string;
  /** False: it did not come to its end, as at the reviewer's own limit; what it cost counts all the same. */
  counts: boolean;
  tokens: number;
  cacheRead: number;
  usd: number;
};

export type Metered = {
  now: number;
  /** What was read, and the meter before and after it; null: tokens are not counted. */
  usage: { before: Meter; after: Meter; used: Used } | null;
  review: CountedReview | null;
  /** When the agent worked, and how long a call counts that was open at its end; left out: the record alone tells. */
  work?: Work & { mostOpen: number };
};

/** What was used up to this stop. Another hook may have been first: then what it read is not counted again. */
export function metered(budget: Budget, { now, usage, review, work }: Metered): Budget {
  const isOurs = usage !== null && JSON.stringify(usage.before) === JSON.stringify(budget.meter);
  const timed = budget.stage === 'paused' ? budget : withTime(budget, now, work);
  const read = isOurs && usage !== null ? { ...withUsed(timed, usage.used), meter: usage.after } : timed;
  return review === null ? read : withReview(read, review);
}

function withTime(budget: Budget, now: number, work: Metered['work']): Budget {
  const { at, from, byStops } = budget.clock;
  const marks = marksUpTo(budget.clock, work?.rows ?? null, now);
  const spent = sum(budget.spent.timeMs, worked(marks, work?.mostOpen ?? 0));
  const isByStops = work?.byStops ?? byStops ?? false;
  return {
    ...budget,
    spent: { ...budget.spent, timeMs: spent },
    clock: {
      ...{ at: Math.max(at, now), still: null, from: work?.from ?? from },
      ...(isByStops ? { byStops: true } : {}),
    },
  };
}

/** Its client begins to work, or works no longer: for the next stop, which counts it. A paused run counts nothing. */
export function marked(budget: Budget, mark: NonNullable<Clock['marks']>[number]): Budget {
  if (budget.stage === 'paused') return budget;
  const { clock } = budget;
  const { still, marks = [] } = clock;
  if (mark.kind === 'ends' && still === null && marks.length === 0) return answered(budget, awayAt(mark.at));
  return { ...budget, clock: { ...clock, marks: [...marks, mark].slice(-MARKS_KEPT) } };
}

const awayAt = (at: number): Answered => ({
  kind: 'allowed',
  still: { for: 'limit', since: at, until: null },
});

function withUsed(budget: Budget, { tokens, cacheRead }: Used): Budget {
  const { spent } = budget;
  return {
    ...budget,
    spent: { ...spent, tokens: sum(spent.tokens, tokens), cacheRead: sum(spent.cacheRead, cacheRead) },
  };
}

export function withReview(budget: Budget, { key, counts, usd, ...used }: CountedReview): Budget {
  if (budget.reviewed.includes(key)) return budget;
  const next = withUsed(budget, used);
  return {
    ...next,
    spent: {
      ...next.spent,
      reviews: sum(next.spent.reviews, counts ? 1 : 0),
      usd: money(next.spent.usd + usd),
    },
    reviewed: [...budget.reviewed, key].slice(-REVIEWS_KEPT),
  };
}

/** A client reports money as a total over its session. */
export function withMoney(budget: Budget, session: string, total: number): Budget {
  const known = Object.hasOwn(budget.money, session) ? (budget.money[session] ?? 0) : 0;
  if (!Number.isFinite(total) || total <= known) return budget;
  return {
    ...budget,
    spent: { ...budget.spent, usd: money(budget.spent.usd + total - known) },
    money: { ...budget.money, [session]: total },
  };
}

export type Answered =
  | { kind: 'held'; review: CountedReview | null }
  | { kind: 'last-hold'; due: Due }
  | { kind: 'paused'; now: number }
  /** The agent may stop: until it is prompted again, or where nobody can tell, until its next stop, nothing counts. */
  | { kind: 'allowed'; still: Still };

export function answered(budget: Budget, what: Answered): Budget {
  const { clock } = budget;
  switch (what.kind) {
    case 'held': {
      const held = { ...budget, holds: sum(budget.holds, 1) };
      return what.review === null ? held : withReview(held, what.review);
    }
    case 'last-hold':
      return { ...budget, stage: 'last-hold', due: what.due, holds: sum(budget.holds, 1) };
    case 'paused':
      return { ...budget, stage: 'paused', pausedAt: what.now };
    case 'allowed':
      return budget.stage === 'paused'
        ? budget
        : { ...budget, clock: { ...clock, still: what.still, wakes: true } };
  }
}

/** Another run of the session is the one held from now on: until this one is served again, its clock stands still. */
export function besideAnother(budget: Budget, now: number): Budget {
  const still = { for: 'limit', since: now, until: null } as const;
  const beside = { ...budget, meter: { ...budget.meter, isHeld: false } };
  if (budget.stage === 'paused') return beside;
  return { ...beside, clock: { ...budget.clock, still, wakes: undefined } };
}

/**
 * A person grants more. The meter stays where it is; what the session did while the run was paused is not the run's, so
 * those lines are passed over, and the clock goes on from now.
 */
export function raised(budget: Budget, more: Partial<Limits>, now: number): Budget {
  const limits = { ...budget.limits };
  for (const kind of KINDS) {
    const [limit, added] = [limits[kind], more[kind] ?? null];
    if (limit !== null && added !== null)
      limits[kind] = kind === 'usd' ? money(limit + added) : sum(limit, added);
  }
  const next = { ...budget, limits };
  if (stillSpent(next).length > 0) return next;
  if (budget.stage !== 'paused') return { ...next, stage: 'open' };
  const { meter, pausedAt } = budget;
  const pauses = [...meter.pauses, { from: pausedAt ?? now, to: now }].slice(-PAUSES_KEPT);
  // No stop tells how far the agent is by now: that one had another prompt is for its rows to say.
  const { from, byStops } = budget.clock;
  const clock = {
    ...{ at: Math.max(budget.clock.at, now), still: null, byStops },
    from: from && { ...from, turn: null },
  };
  return { ...next, stage: 'open', pausedAt: null, clock, meter: { ...meter, pauses } };
}

/** What would stop it again at once. */
export function stillSpent({ limits, spent, due }: Budget): Kind[] {
  return spentOf(limits, spent, due);
}

/** Whatever a transcript says, a record stays one that can be written and read again. */
function sum(one: number, other: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, one + Math.max(0, Math.round(other)));
}

/** To a millionth, so that no sum ends in nines. */
function money(usd: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.round(usd * 1e6) / 1e6);
}
