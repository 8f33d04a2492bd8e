import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { journalIn, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { type BudgetAtStop, type MeteredBudget, meterBudget } from './at-stop.ts';
import { readBudget } from './record.ts';
import type { Budget } from './types.ts';

const HOUR = 3_600_000;

let project: Project;
beforeEach(() => {
  project = bareProject(10 * HOUR);
});

const give = (more: Parameters<typeof budgetOf>[2]): void =>
  giveBudget(project, budgetOf(project, 'toy:a', more));
const meter = (sidecar: Partial<Sidecar> = {}, stop: Partial<Stop> = {}) =>
  meterBudget(
    'toy:a',
    { sidecar: { ...newSidecar('toy:a'), sessions: [SESSION], ...sidecar }, finished: null, report: null },
    stoppedIn(project, stop),
  );
async function metered(stop: Partial<Stop> = {}): Promise<MeteredBudget> {
  const found = await meter({}, stop);
  if (found === 'none') throw new Error('it has no budget');
  return found;
}
const budget = async (stop?: Partial<Stop>): Promise<BudgetAtStop> => (await metered(stop)).read();
const kept = (): Budget | null => readBudget(project, 'toy:a');
const spentHours = { limits: { timeMs: HOUR, reviews: 2 }, spent: { timeMs: 2 * HOUR, reviews: 2 } };

describe('a run’s budget at a stop', () => {
  it('is none where there is nothing to pin', async () => {
    expect(await meter()).toBe('none');
    expect(kept()).toBeNull();
  });

  it('is pinned from what the start noted', async () => {
    const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
    const found = await meter({ budget: { limits, startedAt: 9 * HOUR } });
    expect(found === 'none' || found.read().budget).toMatchObject({ limits, spent: { timeMs: HOUR } });
    expect(kept()).toMatchObject({ limits, spent: { timeMs: HOUR } });
  });

  it('is brought up to the stop, and read again whenever it is asked for', async () => {
    give({ limits: { timeMs: 5 * HOUR }, clock: { at: 8 * HOUR, still: null } });
    const found = await metered();
    expect(found.read().budget).toMatchObject({ spent: { timeMs: 2 * HOUR }, clock: { at: 10 * HOUR } });
    give({ limits: { timeMs: 7 * HOUR } });
    expect(found.read().budget.limits.timeMs).toBe(7 * HOUR);
  });

  it.each([
    ['goes-on', { limits: { timeMs: HOUR }, spent: { timeMs: HOUR - 1 } }],
    ['last-hold', { limits: { timeMs: HOUR }, spent: { timeMs: HOUR } }],
    ['pause', { ...spentHours, stage: 'last-hold' }],
    ['stays-paused', { ...spentHours, stage: 'paused', pausedAt: 1 }],
  ] as const)('says %s', async (answer, more) => {
    give(more);
    const { ask, budget: now } = await budget();
    const { stage, limits, spent } = now;
    expect(ask('hold')).toEqual({
      ...{ answer, due: 'hold', record: { stage, limits, spent, due: 'hold', result: answer } },
    });
  });

  it('of reviews is spent where one is due', async () => {
    give({ limits: { reviews: 2 }, spent: { reviews: 2 } });
    const { ask } = await budget();
    expect([ask('hold').answer, ask('review').answer]).toEqual(['goes-on', 'last-hold']);
  });
});

describe('what was answered', () => {
  it('is written down', async () => {
    give({ limits: { timeMs: HOUR } });
    (await budget()).settle({ kind: 'held', review: null });
    expect(kept()?.holds).toBe(1);
    expect(journalIn(project)).toEqual([]);
  });

  it('is journalled where it is the last hold', async () => {
    give(spentHours);
    const { settle, budget: now } = await budget();
    settle({ kind: 'last-hold', due: 'review' });
    expect(kept()).toMatchObject({ stage: 'last-hold', due: 'review', holds: 1 });
    expect(journalIn(project)).toMatchObject([
      { event: 'budget', workflow: 'toy', run: 'a', what: 'spent', limits: now.limits },
    ]);
  });

  it('changes nothing of a run that stays paused', async () => {
    give({ ...spentHours, stage: 'paused', pausedAt: 1 });
    const before = kept();
    const { settle } = await budget();
    settle({ kind: 'held', review: null });
    settle({ kind: 'last-hold', due: 'hold' });
    expect([kept(), journalIn(project)]).toEqual([before, []]);
  });
});

describe('what is said', () => {
  it('by the last hold is what is spent', async () => {
    give(spentHours);
    const { lastHold } = await budget();
    const begins = 'The budget of toy:a is spent: ';
    expect(lastHold('hold').split('\n')[0]).toBe(
      `${begins}2 of 1 h. This is the last hold; at your next stop you are let go, whatever is open.`,
    );
    expect(lastHold('review').split('. ')[0]).toBe(`${begins}2 of 1 h, 2 of 2 reviews`);
  });

  it('by a later one is what was due at the first', async () => {
    give({ ...spentHours, stage: 'last-hold', due: 'hold' });
    expect((await budget()).lastHold('review').split('. ')[0]).toBe('The budget of toy:a is spent: 2 of 1 h');
    give({ ...spentHours, stage: 'last-hold', due: 'review' });
    expect((await budget()).lastHold('hold').split('. ')[0]).toBe(
      'The budget of toy:a is spent: 2 of 1 h, 2 of 2 reviews',
    );
  });

  it('by the pause is how to go on', async () => {
    give({ ...spentHours, stage: 'last-hold', due: 'review' });
    expect((await budget()).paused().trim()).toBe(
      'Holdfast: toy:a is paused: its budget is spent (2 of 1 h, 2 of 2 reviews). Nothing is lost, and it holds nobody. To go on, grant more in a terminal of your own: `holdfast resume toy:a --hours 2 --reviews 4`',
    );
  });

  it('before the first hold is which tokens are not counted', async () => {
    const notice = async (more: Parameters<typeof budgetOf>[2], client: string): Promise<string | null> => {
      give(more);
      return (await budget({ client })).notice;
    };
    const tokens = { limits: { tokens: 5 } };
    expect((await notice(tokens, 'cursor'))?.trim()).toBe(
      "Holdfast: Cursor does not tell how many tokens its sessions use, so that of toy:a's budget of tokens only what reviewers report is counted. To bound it all the same, end it and start it with --hours.",
    );
    expect(await notice(tokens, 'claude-code')).toBeNull();
    expect(await notice({ limits: { timeMs: HOUR } }, 'cursor')).toBeNull();
    expect(await notice({ ...tokens, holds: 1 }, 'cursor')).toBeNull();
  });

  it('at the stop that pins it, too', async () => {
    const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
    const found = await meter({ budget: { limits, startedAt: 1 } }, { client: 'cursor' });
    expect(found === 'none' ? null : found.read().notice).toMatch(/^Holdfast: Cursor does not tell/);
  });
});
