import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, NOW, giveBudget as put } from '../../test/support/bare-project.ts';
import { journalIn } from '../../test/support/stop-here.ts';
import { budgetPlace } from '../engine/budget/place.ts';
import { readBudget } from '../engine/budget/record.ts';
import type { Project } from '../engine/project.ts';
import { ensureHome } from '../store/home.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { giveBudget, noteMoney, spentBudget, tokensOf } from './budget.ts';

const RUN = 'idle:a';
const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };
const HOUR = 3_600_000;

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
  ensureHome(project.root);
});

function breakBudget(): void {
  const file = path.join(makeUserFolder(project.env), budgetPlace(project.root, RUN));
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, '{');
}

describe('what of a budget is spent', () => {
  it('is said with the flags that grant more of it', () => {
    put(
      project,
      budgetOf(project, RUN, {
        limits: { tokens: 2_000_000, timeMs: 4 * HOUR, usd: 5 },
        spent: { tokens: 2_100_000, timeMs: HOUR, usd: 5 },
      }),
    );
    expect(spentBudget(project, RUN)).toEqual({
      why: 'Its budget is spent: 2.1M of 2M tokens, $5.00 of $5.00.',
      flags: '--tokens 1M --usd 5',
    });
  });

  it.each([
    ['review', 'Its budget is spent: 3 of 3 reviews.', '--reviews 4'],
    ['hold', 'Its budget is spent: .', ''],
  ] as const)('counts reviews where a review was due, and a %s was', (due, why, flags) => {
    put(project, budgetOf(project, RUN, { limits: { reviews: 3 }, spent: { reviews: 3 }, due }));
    expect(spentBudget(project, RUN)).toEqual({ why, flags });
  });

  const UNREAD = { why: 'Its budget cannot be read: `holdfast status` says why.', flags: '' };
  it('is not known where there is none, and where it cannot be read', () => {
    expect(spentBudget(project, RUN)).toEqual(UNREAD);
    breakBudget();
    expect(spentBudget(project, RUN)).toEqual(UNREAD);
  });
});

describe('the tokens of a run', () => {
  it('are those that its budget has counted', () => {
    put(project, budgetOf(project, RUN, { limits: { tokens: 10 }, spent: { tokens: 7 } }));
    expect(tokensOf(project, RUN)).toBe(7);
  });

  it('are not known where nobody counts them', () => {
    expect(tokensOf(project, RUN)).toBeNull();
    put(project, budgetOf(project, RUN, { limits: { usd: 1 }, spent: { tokens: 7 } }));
    expect(tokensOf(project, RUN)).toBeNull();
  });

  it('are not known where the budget cannot be read', () => {
    breakBudget();
    expect(tokensOf(project, RUN)).toBeNull();
  });
});

describe('the budget of a run that its agent has begun', () => {
  const linesIn = (): unknown[] =>
    journalIn(project).map(({ event, what, limits, workflow, run }) => ({
      event,
      what,
      limits,
      workflow,
      run,
    }));
  const line = (limits: object) => ({ event: 'budget', what: 'set', limits, workflow: 'idle', run: 'a' });

  it('is what was asked for, from when that was', async () => {
    const asked = { ...NONE, usd: 5 };
    await giveBudget(project, RUN, asked, NOW - 1000);
    expect(readBudget(project, RUN)).toMatchObject({ limits: asked, startedAt: NOW - 1000, stage: 'open' });
    expect(linesIn()).toEqual([line(asked)]);
  });

  it('does not begin in what is still to come', async () => {
    await giveBudget(project, RUN, { ...NONE, usd: 5 }, NOW + 1000);
    expect(readBudget(project, RUN)).toMatchObject({ startedAt: NOW });
  });

  it('is none where nothing was asked for, whatever the settings say', async () => {
    const budget = { ...NONE, tokens: 5 };
    await giveBudget({ ...project, config: { ...project.config, budget } }, RUN, NONE, NOW);
    expect(readBudget(project, RUN)).toBeNull();
    expect(linesIn()).toEqual([]);
  });

  it('has what the settings bound beside what was asked for', async () => {
    const budget = { ...NONE, tokens: 5 };
    await giveBudget({ ...project, config: { ...project.config, budget } }, RUN, { ...NONE, usd: 1 }, NOW);
    expect(readBudget(project, RUN)?.limits).toEqual({ ...NONE, tokens: 5, usd: 1 });
  });

  it('is lowered where there is one that allows more', async () => {
    put(project, budgetOf(project, RUN, { limits: { tokens: 100, usd: 2 }, spent: { tokens: 7 } }));
    await giveBudget(project, RUN, { ...NONE, tokens: 50, usd: 3, reviews: 4 }, NOW - 1000);
    const limits = { tokens: 50, timeMs: null, reviews: 4, usd: 2 };
    expect(readBudget(project, RUN)).toMatchObject({ limits, startedAt: NOW, spent: { tokens: 7 } });
    expect(linesIn()).toEqual([line(limits)]);
  });

  it('stays as it is where it allows no more than was asked for', async () => {
    put(project, budgetOf(project, RUN, { limits: { tokens: 100 } }));
    const before = readBudget(project, RUN);
    await giveBudget(project, RUN, { ...NONE, tokens: 100 }, NOW);
    expect(readBudget(project, RUN)).toEqual(before);
    expect(linesIn()).toEqual([]);
  });
});

describe('what a session has cost', () => {
  it('is noted as what came on top', () => {
    put(project, budgetOf(project, RUN, { limits: { usd: 5 } }));
    noteMoney(project, RUN, 's1', 1);
    noteMoney(project, RUN, 's1', 1.5);
    expect(readBudget(project, RUN)).toMatchObject({ spent: { usd: 1.5 }, money: { s1: 1.5 } });
  });

  it('is nothing to stop for where it cannot be noted', () => {
    breakBudget();
    expect(() => noteMoney(project, RUN, 's1', 1)).not.toThrow();
  });
});
