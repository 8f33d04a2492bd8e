import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import type { BudgetLimits } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { NotNow, WrongUsage } from '../workflow-cli.ts';
import {
  BUDGET_HELP,
  BUDGET_OPTIONS,
  BUDGET_USAGE,
  budgetAtStart,
  budgetFlags,
  isBudgetAsked,
  refuseBrokenBudget,
  refuseNestedBudget,
  refusePaused,
  refuseSecondBudget,
  USD_OPTION,
  whyPaused,
  writeBudget,
} from './at-start.ts';
import { readBudget } from './record.ts';

const HOUR = 3_600_000;
const NONE: BudgetLimits = { tokens: null, timeMs: null, reviews: null, usd: null };
const AGENT = { CLAUDE_CODE_SESSION_ID: 'session-1' };

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const allowing = (limits: Partial<BudgetLimits> | null, env: Project['env'] = {}): Project => ({
  ...project,
  env: { ...project.env, ...env },
  config: { ...project.config, budget: limits === null ? null : { ...NONE, ...limits } },
});

describe('the flags', () => {
  it('are told to people', () => {
    expect(BUDGET_OPTIONS).toEqual({
      ...{ tokens: { type: 'string' }, hours: { type: 'string' }, reviews: { type: 'string' } },
    });
    expect(USD_OPTION).toEqual({ usd: { type: 'string' } });
    expect(BUDGET_USAGE).toBe('[--tokens N] [--hours N] [--reviews N]');
    expect(BUDGET_HELP).toBe(
      '--tokens 2M, --hours 4, --reviews 12: what the run may spend; then it is paused until you grant more with `holdfast resume`.',
    );
  });

  it('are read as limits', () => {
    expect(budgetFlags({}, 'start')).toEqual(NONE);
    expect(budgetFlags({ tokens: '2M', hours: '1.5', reviews: '12', usd: '2.5' }, 'start')).toEqual({
      ...{ tokens: 2_000_000, timeMs: 1.5 * HOUR, reviews: 12, usd: 2.5 },
    });
    expect(budgetFlags({ reviews: '3' }, 'start')).toEqual({ ...NONE, reviews: 3 });
    expect(budgetFlags({ hours: '0.0333' }, 'start').timeMs).toBe(119_880);
  });

  it.each([
    ['tokens', 'many', 'many'],
    ['hours', '-1', '-1'],
    ['reviews', '1.5', '1.5'],
    ['usd', true, 'true'],
    ['tokens', true, 'true'],
  ])('are refused where --%s is %s', (flag, given, shown) => {
    const refused = () => budgetFlags({ [flag]: given }, 'toy start');
    expect(refused).toThrow(WrongUsage);
    expect(refused).toThrow(new RegExp(`^toy start: --${flag} takes .+, not "${shown}"\\.$`));
  });

  it('ask for a budget where one of them says something', () => {
    expect(isBudgetAsked(NONE)).toBe(false);
    for (const kind of ['tokens', 'timeMs', 'reviews', 'usd'])
      expect(isBudgetAsked({ ...NONE, [kind]: 0 })).toBe(true);
  });
});

describe('the budget of a start', () => {
  it('is none where neither a flag nor the settings bound it', () => {
    expect(budgetAtStart(allowing(null), NONE)).toBeNull();
    expect(budgetAtStart(allowing({}), NONE)).toBeNull();
  });

  it('is what the flags say, else the settings', () => {
    const limits = { ...NONE, tokens: 5_000, reviews: 3, timeMs: 2 * HOUR };
    const at = budgetAtStart(allowing({ tokens: 9_000, timeMs: 2 * HOUR }), {
      ...{ ...NONE, tokens: 5_000, reviews: 3 },
    });
    expect(at).toEqual({
      notes: { limits, startedAt: project.now },
      lines: [
        'It may spend 5k tokens, 2 h, 3 reviews; then it is paused, and a person decides whether it goes on.',
      ],
    });
  });

  it('may be more than the settings allow in a terminal, and not in an agent’s shell', () => {
    const asked = { ...NONE, timeMs: 3 * HOUR };
    expect(budgetAtStart(allowing({ timeMs: 2 * HOUR }), asked)?.notes.limits).toEqual(asked);
    const refused = () => budgetAtStart(allowing({ timeMs: 2 * HOUR }, AGENT), asked);
    expect(refused).toThrow(NotNow);
    expect(refused).toThrow(
      "--hours: 3 h is more than budget.hours allows (2 h), and a start inside an agent's session may only lower that. A person grants more afterwards, with `holdfast resume` in a terminal.",
    );
  });

  it('may be as much as the settings allow, or less, or of what they do not bound, in an agent’s shell', () => {
    const inside = allowing({ timeMs: 2 * HOUR }, AGENT);
    for (const timeMs of [HOUR, 2 * HOUR])
      expect(budgetAtStart(inside, { ...NONE, timeMs })?.notes.limits).toEqual({ ...NONE, timeMs });
    expect(budgetAtStart(inside, { ...NONE, reviews: 9 })?.notes.limits).toEqual({
      ...{ ...NONE, timeMs: 2 * HOUR, reviews: 9 },
    });
  });

  it('is none that begins before the user’s own can be read', () => {
    const broken = { ...project, config: { ...project.config, brokenBudget: 'budget.hours is no number' } };
    const text =
      'nothing is started before your budget can be read; put this right: budget.hours is no number';
    for (const refused of [() => refuseBrokenBudget(broken), () => budgetAtStart(broken, NONE)]) {
      expect(refused).toThrow(NotNow);
      expect(refused).toThrow(text);
    }
    expect(refuseBrokenBudget(project)).toBeUndefined();
  });
});

describe('a run', () => {
  const asked = { ...NONE, tokens: 1 };

  it('that has a budget keeps it', () => {
    refuseSecondBudget(project, 'toy:a', asked);
    giveBudget(project, budgetOf(project, 'toy:a'));
    refuseSecondBudget(project, 'toy:a', NONE);
    refuseSecondBudget(project, 'toy:b', asked);
    const refused = () => refuseSecondBudget(project, 'toy:a', asked);
    expect(refused).toThrow(NotNow);
    expect(refused).toThrow(
      'toy:a has its budget already, and no start changes it. `holdfast status` shows it; a person grants more with `holdfast resume toy:a` in a terminal.',
    );
  });

  it('takes none for a loop that is nested in it', () => {
    refuseNestedBudget('toy:a', NONE, 'hf cancel toy:a');
    const refused = () => refuseNestedBudget('toy:a', asked, 'hf cancel toy:a');
    expect(refused).toThrow(NotNow);
    expect(refused).toThrow(
      '--tokens, --hours and --reviews are for a whole run, and this loop would be nested in toy:a. Leave them out, or end that one first: `hf cancel toy:a`.',
    );
  });

  it('has its budget noted and pinned', async () => {
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: 7 };
    await writeBudget(project, 'toy:a', { notes, lines: [] });
    expect(readSidecar(project.root, 'toy:a').budget).toEqual(notes);
    expect(readBudget(project, 'toy:a')).toMatchObject({ run: 'toy:a', limits: notes.limits, startedAt: 7 });
  });

  it('has it noted where it cannot be pinned', async () => {
    fs.writeFileSync(project.env.XDG_STATE_HOME ?? '', 'a file');
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: 7 };
    await writeBudget(project, 'toy:a', { notes, lines: [] });
    expect(readSidecar(project.root, 'toy:a').budget).toEqual(notes);
  });

  it('that is paused says how to bring it back', async () => {
    expect(await whyPaused(project, 'toy:a')).toBeNull();
    giveBudget(project, budgetOf(project, 'toy:a', { limits: { tokens: 5 }, spent: { tokens: 5 } }));
    expect(await whyPaused(project, 'toy:a')).toBeNull();
    expect(await refusePaused(project, 'toy:a')).toBeUndefined();
    const paused = { limits: { tokens: 5 }, spent: { tokens: 5 }, stage: 'paused' as const, pausedAt: 1 };
    giveBudget(project, budgetOf(project, 'toy:a', paused));
    const why =
      'toy:a is paused: its budget is spent. A person grants more in a terminal: `holdfast resume toy:a --tokens 1M`';
    expect(await whyPaused(project, 'toy:a')).toBe(why);
    const error = await refusePaused(project, 'toy:a').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotNow);
    expect(error).toMatchObject({ message: why });
  });
});
