import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { journalIn } from '../../../test/support/stop-here.ts';
import type { BudgetLimits } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { lower, newBudget, pinAtStop, pinBudget } from './pin.ts';
import { readBudget } from './record.ts';

const NONE: BudgetLimits = { tokens: null, timeMs: null, reviews: null, usd: null };

let project: Project;
beforeEach(() => {
  project = bareProject(1_000);
});
const events = (): unknown[] => journalIn(project).map(({ event, run, what }) => [event, run, what]);

describe('a new budget', () => {
  const begun = (startedAt: number) => newBudget('/root', 'toy:a', { ...NONE, tokens: 5 }, startedAt, 1_000);

  it('has nothing spent', () => {
    expect(begun(400)).toEqual({
      ...{ schema: 1, run: 'toy:a', root: '/root', startedAt: 400, limits: { ...NONE, tokens: 5 } },
      ...{ spent: { tokens: 0, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 }, stage: 'open', due: 'hold' },
      ...{ pausedAt: null, holds: 0, clock: { at: 400, still: null }, reviewed: [], money: {} },
      meter: { session: null, since: 400, isHeld: true, pauses: [], files: {}, seen: [] },
    });
  });

  it('has a clock that does not begin in the future', () => {
    expect(begun(2_000)).toMatchObject({ clock: { at: 1_000 }, startedAt: 2_000, meter: { since: 2_000 } });
  });
});

describe('a budget that is pinned', () => {
  const limits = { ...NONE, tokens: 5 };

  it('counts from the start, and is in the journal', () => {
    const budget = newBudget(project.root, 'toy:a', limits, 400, 1_000);
    expect(pinBudget(project, 'toy:a', { limits, startedAt: 400 })).toEqual(budget);
    expect(readBudget(project, 'toy:a')).toEqual(budget);
    expect(journalIn(project)).toMatchObject([
      { event: 'budget', workflow: 'toy', run: 'a', what: 'set', limits },
    ]);
  });

  it('does not count from the future', () => {
    expect(pinBudget(project, 'toy:a', { limits, startedAt: 5_000 })).toMatchObject({
      ...{ startedAt: 1_000, clock: { at: 1_000 }, meter: { since: 1_000 } },
    });
  });

  it('is the one that is there already', () => {
    const first = pinBudget(project, 'toy:a', { limits, startedAt: 400 });
    expect(pinBudget(project, 'toy:a', { limits: { ...NONE, usd: 9 }, startedAt: 500 })).toEqual(first);
    expect(readBudget(project, 'toy:a')).toEqual(first);
    expect(events()).toHaveLength(1);
    pinBudget(project, 'toy:b', { limits, startedAt: 400 });
    expect(events()).toHaveLength(2);
  });
});

describe('a budget that a stop pins', () => {
  const allowing = (budget: Partial<BudgetLimits> | null): Project => ({
    ...{ ...project, config: { ...project.config, budget: budget && { ...NONE, ...budget } } },
  });

  it('is what the start noted, and no more than the settings grant', () => {
    const notes = { limits: { ...NONE, tokens: 50, reviews: 2 }, startedAt: 400 };
    expect(pinAtStop(allowing({ tokens: 20, usd: 1 }), 'toy:a', notes)).toMatchObject({
      ...{ limits: { ...NONE, tokens: 20, reviews: 2, usd: 1 }, startedAt: 400 },
    });
    expect(pinAtStop(allowing(null), 'toy:b', notes)).toMatchObject({ limits: notes.limits, startedAt: 400 });
  });

  it('is that of the settings from now on, where nothing was noted', () => {
    expect(pinAtStop(allowing({ tokens: 20 }), 'toy:a', undefined)).toMatchObject({
      ...{ limits: { ...NONE, tokens: 20 }, startedAt: 1_000 },
    });
  });

  it('is none where there is neither', () => {
    expect(pinAtStop(allowing(null), 'toy:a', undefined)).toBeNull();
    expect([readBudget(project, 'toy:a'), events()]).toEqual([null, []]);
  });
});

describe('the lower of two', () => {
  it('is the only one there is', () => {
    const one = { ...NONE, tokens: 1 };
    expect([lower(one, null), lower(null, one), lower(null, null)]).toEqual([one, one, null]);
  });

  it('is the lower of each part', () => {
    const one = { tokens: 1, timeMs: 20, reviews: null, usd: null };
    const other = { tokens: 10, timeMs: 2, reviews: 3, usd: null };
    const both = { tokens: 1, timeMs: 2, reviews: 3, usd: null };
    expect([lower(one, other), lower(other, one)]).toEqual([both, both]);
    expect(one).toEqual({ tokens: 1, timeMs: 20, reviews: null, usd: null });
  });
});
