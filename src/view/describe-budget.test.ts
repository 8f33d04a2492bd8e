import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../test/support/bare-project.ts';
import { budgetPlace } from '../engine/budget/place.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import { userStateFolder } from '../store/user-state.ts';
import { budgetView } from './budget-view.ts';
import {
  budgetAsData,
  budgetInShort,
  describeBudget,
  describeBudgetEvent,
  iterationsLeft,
  whyByBudget,
} from './describe-budget.ts';

const HOUR = 3_600_000;
const project = bareProject();
type Given = NonNullable<Parameters<typeof budgetOf>[2]>;
const budget = (more: Given = {}) => budgetOf(project, 'toy:a', more);
const said = (more: Given): string | null => {
  giveBudget(project, budget(more));
  return describeBudget(project, 'toy:a');
};

describe('a budget in words', () => {
  it.each<[string, Given, string]>([
    ['of which nothing is spent', { limits: { tokens: 2_000_000 } }, 'Budget: 0 of 2M tokens.'],
    [
      'of every kind',
      {
        limits: { tokens: 2000, timeMs: 4 * HOUR, reviews: 3, usd: 10 },
        spent: { tokens: 1000, timeMs: HOUR, reviews: 1, usd: 4, cacheRead: 5000 },
        holds: 2,
      },
      'Budget: 1k of 2k tokens, 1 of 4 h, 1 of 3 reviews, $4.00 of $10.00 (5k tokens read from the cache not counted). About 500 tokens, 30 min, $2.00 per iteration. At this pace about 2 more iterations.',
    ],
    [
      'whose client’s transcript has no times',
      { limits: { timeMs: 4 * HOUR }, spent: { timeMs: HOUR }, clock: { at: 0, still: null, byStops: true } },
      'Budget: 1 of 4 h. Its hours count from stop to stop, since its client writes down no times.',
    ],
    [
      'without hours, which then do not matter',
      { limits: { usd: 1 }, clock: { at: 0, still: null, byStops: true } },
      'Budget: $0.00 of $1.00.',
    ],
    [
      'without tokens, whose cache is nobody’s business',
      { limits: { usd: 1 }, spent: { cacheRead: 5000 } },
      'Budget: $0.00 of $1.00.',
    ],
    [
      'with a single iteration to come',
      { limits: { tokens: 300 }, spent: { tokens: 200 }, holds: 3 },
      'Budget: 200 of 300 tokens. About 67 tokens per iteration. At this pace about 1 more iteration.',
    ],
    [
      'of reviews alone, which have no pace',
      { limits: { reviews: 3 }, spent: { reviews: 2 }, holds: 2 },
      'Budget: 2 of 3 reviews.',
    ],
    [
      'that was held, and used nothing',
      { limits: { usd: 3 }, holds: 2 },
      'Budget: $0.00 of $3.00. About $0.00 per iteration.',
    ],
    [
      'that is paused',
      { limits: { tokens: 10, usd: 3 }, spent: { tokens: 10 }, stage: 'paused', holds: 2 },
      'Paused: its budget is spent. Budget: 10 of 10 tokens, $0.00 of $3.00. To go on, in a terminal of your own: `holdfast resume toy:a --tokens 1M`',
    ],
    [
      'whose last hold was given',
      { limits: { tokens: 10 }, spent: { tokens: 11 }, stage: 'last-hold', holds: 1 },
      'Budget: 11 of 10 tokens. It is spent: the agent was told to leave the work whole and stop.',
    ],
    [
      'that was raised after its last hold',
      { limits: { tokens: 20 }, spent: { tokens: 10 }, stage: 'last-hold', holds: 2 },
      'Budget: 10 of 20 tokens. About 5 tokens per iteration. At this pace about 2 more iterations.',
    ],
  ])('%s', (_, more, text) => {
    expect(said(more)).toBe(text);
  });

  it('is nothing where there is none', () => {
    expect(describeBudget(project, 'toy:none')).toBeNull();
    expect(budgetAsData(project, 'toy:none')).toBeNull();
    expect(budgetView(project, 'toy:none', [])).toBeNull();
  });

  it('says so where it cannot be read', () => {
    const other = bareProject();
    giveBudget(other, budgetOf(other, 'toy:a'));
    const file = `${userStateFolder(other.env)}/${budgetPlace(other.root, 'toy:a')}`;
    fs.writeFileSync(file, 'broken');
    const why = `${file} is not readable as the budget of toy:a;`;
    expect(describeBudget(other, 'toy:a')).toContain(`Its budget cannot be read: ${why}`);
    expect(budgetAsData(other, 'toy:a')).toEqual({ unreadable: expect.stringContaining(why) });
    expect(budgetView(other, 'toy:a', [])).toBeNull();
  });
});

describe('how many iterations a budget leaves', () => {
  it.each<[Given, number | null]>([
    [{ limits: { tokens: 10 }, spent: { tokens: 3 }, holds: 1 }, null],
    [{ limits: { tokens: 10 }, spent: { tokens: 3 }, holds: 2 }, 4],
    [{ limits: { tokens: 10 }, spent: { tokens: 11 }, holds: 2 }, 0],
    [{ limits: { tokens: 10 }, holds: 2 }, null],
    [{ limits: { reviews: 10 }, spent: { reviews: 2 }, holds: 2 }, null],
    [{ limits: { tokens: 10, usd: 4 }, spent: { tokens: 2, usd: 1 }, holds: 2 }, 6],
  ])('%j leaves %s', (more, left) => {
    expect(iterationsLeft(budget(more))).toBe(left);
  });
});

describe('a budget as data', () => {
  it('has what is left of each limit, never less than nothing', () => {
    const given = { limits: { tokens: 10, usd: 4 }, spent: { tokens: 12, usd: 1, timeMs: 5 }, holds: 2 };
    giveBudget(project, budget(given));
    const { limits, spent } = budget(given);
    const left = { tokens: 0, timeMs: null, reviews: null, usd: 3 };
    expect(budgetAsData(project, 'toy:a')).toEqual({
      ...{ stage: 'open', limits, spent, left, iterations: 2, iterationsLeft: 0 },
    });
    const burn = [{ at: 1, tokens: 1, timeMs: 0, reviews: 0, usd: 0 }];
    const text =
      'Budget: 12 of 10 tokens, $1.00 of $4.00. About 6 tokens, $0.50 per iteration. At this pace about 0 more iterations.';
    expect(budgetView(project, 'toy:a', burn)).toEqual({
      view: { stage: 'open', limits, spent, left, iterations: 2, burn, text },
      iterationsLeft: 0,
    });
  });
});

describe('what a budget did at a stop', () => {
  const limits = { tokens: 10, timeMs: null, reviews: 2, usd: null };
  const recorded = (result: string, more: { due?: string; spent?: object } = {}): StopEntry => {
    const spent = { tokens: 12, cacheRead: 0, timeMs: 0, reviews: 2, usd: 0, ...more.spent };
    return { budget: { stage: 'open', limits, spent, due: more.due ?? 'hold', result } as Json } as StopEntry;
  };

  it.each([
    [
      'last-hold',
      {},
      "The run's budget is spent (12 of 10 tokens), so in place of the hold that was due the agent was told to leave the work whole, to write down where it stands, and to stop. It was the last hold.",
      'budget spent: the last hold',
    ],
    [
      'last-hold',
      { due: 'review' },
      "The run's budget is spent (12 of 10 tokens, 2 of 2 reviews), so in place of a review that was due the agent was told to leave the work whole, to write down where it stands, and to stop. It was the last hold.",
      'budget spent: the last hold',
    ],
    [
      'pause',
      {},
      "The run's budget is spent (12 of 10 tokens) and the last hold was given, so the agent may stop. The run is paused until a person grants more with `holdfast resume`.",
      'paused',
    ],
    [
      'stays-paused',
      { spent: { tokens: 0 } },
      'The run is paused: its budget is spent. A person brings it back with `holdfast resume`.',
      'paused',
    ],
    [
      'stays-paused',
      {},
      'The run is paused: its budget is spent (12 of 10 tokens). A person brings it back with `holdfast resume`.',
      'paused',
    ],
    ['goes-on', {}, null, null],
    ['nonsense', {}, null, null],
  ])('%s %j', (result, more, why, short) => {
    expect(whyByBudget(recorded(result, more))).toBe(why);
    expect(budgetInShort(recorded(result, more))).toBe(short);
  });

  it('is told as an event', () => {
    const entry = {
      schema: 2,
      time: '',
      session: null,
      event: 'budget',
      workflow: 'toy',
      run: 'a',
      limits,
    } as const;
    expect(describeBudgetEvent({ ...entry, what: 'set' })).toBe('it may spend 10 tokens, 2 reviews');
  });
});
