import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, projectAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { journalFromEnd } from '../../store/journal.ts';
import { newSidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import {
  budgetAtStart,
  budgetFlags,
  isBudgetAsked,
  refuseBrokenBudget,
  refuseNestedBudget,
  refusePaused,
  refuseSecondBudget,
  whyPaused,
  writeBudget,
} from './at-start.ts';
import { grantMore, reportMoney } from './grant.ts';
import { isPaused } from './paused.ts';
import { lower, newBudget, pinAtStop, pinBudget } from './pin.ts';
import { budgetPlace } from './place.ts';
import { changeBudget, isBudget, readBudget } from './record.ts';
import type { Budget, Limits } from './types.ts';

const HOUR = 3_600_000;
const RUN = 'idle:one';
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };

let folder: string;
let project: Project;
beforeEach(() => {
  folder = tempFolder();
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  project = projectAt(root, { env: { HOME: path.join(folder, 'home') } });
  fs.mkdirSync(path.join(folder, 'home'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const withConfig = (over: Partial<Project['config']>): Project => ({
  ...project,
  config: { ...DEFAULT_CONFIG, ...over },
});
const budgetFile = (name = RUN): string =>
  path.join(folder, 'home/.local/state/holdfast', budgetPlace(project.root, name));
const pin = (limits: Partial<Limits>, name = RUN): Budget | null =>
  pinBudget(project, name, { limits: { ...NONE, ...limits }, startedAt: NOW - 5 });
const put = (how: (budget: Budget) => Partial<Budget>, name = RUN): void => {
  changeBudget(project, name, (known) => known && { ...known, ...how(known) });
};
const journal = () => [...journalFromEnd(project.root)].reverse();

describe('a budget is pinned', () => {
  it('once: a second pin changes nothing and is not in the journal', () => {
    const first = pin({ tokens: 10 });
    expect(first).toEqual(newBudget(project.root, RUN, { ...NONE, tokens: 10 }, NOW - 5, NOW));
    expect(pin({ tokens: 99 })).toEqual(first);
    expect(readBudget(project, RUN)).toEqual(first);
    expect(journal()).toMatchObject([
      { event: 'budget', workflow: 'idle', run: 'one', what: 'set', limits: { ...NONE, tokens: 10 } },
    ]);
  });

  it('with a start that lies not in the future', () => {
    const late = pinBudget(project, RUN, { limits: { ...NONE, tokens: 1 }, startedAt: NOW + 9 });
    expect(late).toMatchObject({ startedAt: NOW, clock: { at: NOW }, meter: { since: NOW } });
  });

  it.each<[string, Partial<Limits> | null, Partial<Limits> | null, Partial<Limits> | null]>([
    ['nothing is asked and nothing set', null, null, null],
    ['only the start asks', { tokens: 5 }, null, { tokens: 5 }],
    ['only the settings have one', null, { reviews: 2 }, { reviews: 2 }],
    [
      'both do: the lower of each',
      { tokens: 5, reviews: 9 },
      { tokens: 7, reviews: 2 },
      { tokens: 5, reviews: 2 },
    ],
    ['each has another part', { tokens: 5 }, { usd: 2 }, { tokens: 5, usd: 2 }],
  ])('at the first stop, where %s', (_, asked, set, limits) => {
    const all = (some: Partial<Limits> | null): Limits | null => some && { ...NONE, ...some };
    expect(lower(all(asked), all(set))).toEqual(all(limits));
    const notes = asked === null ? undefined : { limits: { ...NONE, ...asked }, startedAt: NOW - 3 };
    const pinned = pinAtStop(withConfig({ budget: all(set) }), RUN, notes);
    expect(pinned?.limits ?? null).toEqual(all(limits));
    expect(pinned?.startedAt).toBe(limits === null ? undefined : asked === null ? NOW : NOW - 3);
  });
});

describe('the record of a budget', () => {
  it('is none where there is no file', () => {
    expect(readBudget(project, RUN)).toBeNull();
    expect(changeBudget(project, RUN, () => null)).toBeNull();
    expect(isPaused(project, RUN)).toBe(false);
  });

  it.each(['', '{', '{"schema":1}', 'null'])('that reads %j is never taken for none', (text) => {
    pin({ tokens: 10 });
    fs.writeFileSync(budgetFile(), text);
    const said = `${budgetFile()} is not readable as the budget of ${RUN}; put it right, or remove it`;
    expect(() => readBudget(project, RUN)).toThrow(said);
    expect(() => changeBudget(project, RUN, (known) => known)).toThrow(said);
    expect(fs.readFileSync(budgetFile(), 'utf8')).toBe(text);
    expect(isPaused(project, RUN)).toBe(true);
  });

  it('under the name of another run, or of another project, is refused', () => {
    pin({ tokens: 10 });
    fs.copyFileSync(budgetFile(), budgetFile('idle:two'));
    const said = `the budget of idle:two in your state folder is a copy of that of ${RUN}; remove it`;
    expect(() => readBudget(project, 'idle:two')).toThrow(said);
    expect(() => changeBudget(project, 'idle:two', (known) => known)).toThrow(said);
    fs.writeFileSync(budgetFile(), fs.readFileSync(budgetFile(), 'utf8').replace(project.root, '/elsewhere'));
    expect(() => readBudget(project, RUN)).toThrow(`is a copy of that of ${RUN}`);
  });

  it.each<[string, unknown]>([
    ['schema', 2],
    ['run', 1],
    ['root', null],
    ['startedAt', -1],
    ['limits', { ...NONE, tokens: 1.5 }],
    ['limits', { ...NONE, timeMs: '1' }],
    ['limits', { ...NONE, reviews: -1 }],
    ['limits', { ...NONE, usd: -0.5 }],
    ['spent', { tokens: -1, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 }],
    ['spent', { tokens: 0, timeMs: 0, reviews: 0, usd: 0 }],
    ['stage', 'over'],
    ['due', 'work'],
    ['pausedAt', 'now'],
    ['holds', null],
    ['clock', { at: 1, still: { for: 'sleep', since: 1, until: null } }],
    ['clock', { at: 1, still: { for: 'work', since: 1, until: 'x' } }],
    ['clock', { at: 1, still: { for: 'work', since: 1, until: null, reviewer: 5 } }],
    ['meter', { session: null, since: 1, isHeld: 1, pauses: [], files: {}, seen: [] }],
    ['meter', { session: null, since: 1, isHeld: true, pauses: [{ from: 1 }], files: {}, seen: [] }],
    ['meter', { session: null, since: 1, isHeld: true, pauses: [], files: { a: { inode: 1 } }, seen: [] }],
    ['meter', { session: null, since: 1, isHeld: true, pauses: [], files: {}, seen: [{ id: 'a' }] }],
    ['reviewed', [1]],
    ['money', { s: -1 }],
  ])('with %s as %j is not one', (key, value) => {
    const budget = newBudget('/root', RUN, NONE, NOW, NOW);
    expect(isBudget(budget)).toBe(true);
    expect(isBudget({ ...budget, [key]: value })).toBe(false);
  });

  it('with all that may be there is one', () => {
    const budget = newBudget('/root', RUN, { tokens: 1, timeMs: 2, reviews: 3, usd: 0.5 }, NOW, NOW);
    const file = { inode: 1, offset: 2, at: 3, total: { tokens: 1, cacheRead: 2 } };
    const seen = [{ id: 'm', tokens: 1, cacheRead: 2 }];
    const meter = { ...budget.meter, session: 's', pauses: [{ from: 1, to: 2 }], files: { f: file }, seen };
    const still = { for: 'limit', since: 1, until: 2, reviewer: 'codex' } as const;
    const full: Budget = { ...budget, pausedAt: 5, clock: { at: 1, still }, meter, money: { s: 1.5 } };
    expect(isBudget(full)).toBe(true);
  });
});

const granted = (more: Limits): Budget =>
  grantMore(project, { name: RUN, over: null }, more, { env: {}, command: 'run --continue' });

describe('more is granted', () => {
  it('to a run that has a budget', () => {
    expect(() => granted({ ...NONE, tokens: 5 })).toThrow(
      `${RUN} has no budget, so there is nothing to add to.`,
    );
    expect(readBudget(project, RUN)).toBeNull();
    expect(journal()).toEqual([]);
  });

  it('to limits that are there', () => {
    pin({ tokens: 10 });
    expect(() => granted({ ...NONE, tokens: 5, timeMs: HOUR })).toThrow(
      `${RUN} has no limit that --hours could add to. \`holdfast status\` shows what it has.`,
    );
    expect(readBudget(project, RUN)?.limits.tokens).toBe(10);
  });

  it('and is in the journal', () => {
    pin({ tokens: 10, reviews: 2 });
    const limits = { ...NONE, tokens: 15, reviews: 2 };
    expect(granted({ ...NONE, tokens: 5 }).limits).toEqual(limits);
    expect(readBudget(project, RUN)?.limits).toEqual(limits);
    expect(journal().slice(1)).toMatchObject([{ event: 'budget', run: 'one', what: 'raised', limits }]);
  });

  it.each(['paused', 'last-hold'] as const)('only where it is enough, to a run that is %s', (stage) => {
    pin({ tokens: 10, timeMs: HOUR, reviews: 2, usd: 3 });
    const spent = { tokens: 12, cacheRead: 0, timeMs: 2 * HOUR, reviews: 2, usd: 3.5 };
    put(() => ({ stage, spent, due: 'hold' }));
    expect(() => granted({ ...NONE, tokens: 2, timeMs: 1, usd: 1 })).toThrow(
      `that would not bring ${RUN} back: 12 of 10 tokens are spent, so --tokens has to add more than 2 tokens; 2 of 1 h are spent, so --hours has to add more than 1 h. Nothing was changed.`,
    );
    expect(readBudget(project, RUN)?.limits.tokens).toBe(10);
    const back = granted({ ...NONE, tokens: 3, timeMs: HOUR + 1, usd: 1 });
    expect(back).toMatchObject({ stage: 'open', limits: { tokens: 13, usd: 4 } });
  });

  it('however little, to a run that goes on', () => {
    pin({ tokens: 10 });
    put(({ spent }) => ({ spent: { ...spent, tokens: 50 } }));
    expect(granted({ ...NONE, tokens: 1 })).toMatchObject({
      stage: 'open',
      limits: { tokens: 11 },
    });
  });
});

describe('money that a driver reports', () => {
  it('is nothing to a run without a budget', () => {
    expect(reportMoney(project, RUN, 's', 5)).toBe(false);
    expect(fs.existsSync(budgetFile())).toBe(false);
  });

  it.each([
    [null, 50, false],
    [5, 4.99, false],
    [5, 5, true],
    [5, 6, true],
  ])('with a limit of %s and %d spent says that it is spent: %s', (usd, total, isSpent) => {
    pin({ tokens: 1, usd });
    expect(reportMoney(project, RUN, 's', total)).toBe(isSpent);
    expect(readBudget(project, RUN)?.spent.usd).toBe(total);
  });
});

describe('flags at a start', () => {
  it('are read, each in its own unit', () => {
    expect(budgetFlags({ tokens: '2M', hours: '0.5', reviews: '3', usd: '2.5' }, 'go')).toEqual({
      ...{ tokens: 2e6, timeMs: HOUR / 2, reviews: 3, usd: 2.5 },
    });
    expect(budgetFlags({}, 'go')).toEqual(NONE);
    expect(budgetFlags({ hours: '0.001' }, 'go').timeMs).toBe(3600);
  });

  it.each([
    ['tokens', 'many', 'go: --tokens takes a number of tokens from 1, such as 500k, 2M or 1.5M, not "many".'],
    ['hours', '0', 'go: --hours takes a number of hours from 0.001 to 8760, such as 4 or 0.5, not "0".'],
    ['reviews', '1.5', 'go: --reviews takes a whole number of reviews from 1 to 9999, not "1.5".'],
    [
      'usd',
      true,
      'go: --usd takes a number of dollars from 0.01 to 1000000, such as 10 or 2.50, not "true".',
    ],
  ])('that cannot be understood are refused: --%s %s', (flag, given, said) => {
    expect(() => budgetFlags({ [flag]: given }, 'go')).toThrow(said);
  });

  it.each<[Partial<Limits>, boolean]>([
    [{}, false],
    [{ tokens: 1 }, true],
    [{ usd: 0 }, true],
  ])('%j ask for a budget: %s', (limits, isAsked) => {
    expect(isBudgetAsked({ ...NONE, ...limits })).toBe(isAsked);
  });
});

describe('at a start', () => {
  const inside = (budget: Partial<Limits>): Project => {
    const changed = withConfig({ budget: { ...NONE, ...budget } });
    return { ...changed, env: { ...changed.env, CLAUDE_CODE_SESSION_ID: 's' } };
  };

  it('nothing asked and nothing set is no budget', () => {
    expect(budgetAtStart(project, NONE)).toBeNull();
  });

  it('a flag goes before the settings, in a terminal also with more', () => {
    const started = budgetAtStart(withConfig({ budget: { ...NONE, tokens: 5, reviews: 2 } }), {
      ...NONE,
      ...{ tokens: 9, usd: 1 },
    });
    expect(started).toEqual({
      notes: { limits: { tokens: 9, timeMs: null, reviews: 2, usd: 1 }, startedAt: NOW },
      lines: [
        'It may spend 9 tokens, 2 reviews, $1.00; then it is paused, and a person decides whether it goes on.',
      ],
    });
  });

  it("in an agent's shell a flag may only lower what the settings allow", () => {
    expect(budgetAtStart(inside({ tokens: 5 }), { ...NONE, tokens: 5 })?.notes.limits.tokens).toBe(5);
    expect(budgetAtStart(inside({ tokens: 5 }), { ...NONE, usd: 7 })?.notes.limits).toMatchObject({
      ...{ tokens: 5, usd: 7 },
    });
    expect(() => budgetAtStart(inside({ timeMs: HOUR }), { ...NONE, timeMs: 2 * HOUR })).toThrow(
      "--hours: 2 h is more than budget.hours allows (1 h), and a start inside an agent's session may only lower that. A person grants more afterwards, with `holdfast resume` in a terminal.",
    );
  });

  it('limits that cannot be read are refused, whatever is asked', () => {
    const broken = withConfig({ brokenBudget: 'budget.tokens is "x"' });
    const said = 'nothing is started before your budget can be read; put this right: budget.tokens is "x"';
    expect(() => refuseBrokenBudget(broken)).toThrow(said);
    expect(() => budgetAtStart(broken, NONE)).toThrow(said);
    expect(() => refuseBrokenBudget(project)).not.toThrow();
  });

  it('a run keeps the budget it has', () => {
    const asked = { ...NONE, tokens: 5 };
    expect(() => refuseSecondBudget(project, RUN, asked)).not.toThrow();
    pin({ tokens: 10 });
    expect(() => refuseSecondBudget(project, RUN, NONE)).not.toThrow();
    expect(() => refuseSecondBudget(project, RUN, asked)).toThrow(
      `${RUN} has its budget already, and no start changes it. \`holdfast status\` shows it; a person grants more with \`holdfast resume ${RUN}\` in a terminal.`,
    );
  });

  it('a loop that would be nested takes none of its own', () => {
    expect(() => refuseNestedBudget(RUN, NONE, 'hf end')).not.toThrow();
    expect(() => refuseNestedBudget(RUN, { ...NONE, reviews: 1 }, 'hf end')).toThrow(
      `--tokens, --hours and --reviews are for a whole run, and this loop would be nested in ${RUN}. Leave them out, or end that one first: \`hf end\`.`,
    );
  });

  it('the budget is noted beside the run and written in the user’s folder', async () => {
    writeSidecar(project.root, { ...newSidecar(RUN), takenOver: 7 });
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: NOW };
    await writeBudget(project, RUN, { notes, lines: [] });
    expect(readSidecar(project.root, RUN)).toMatchObject({ budget: notes, takenOver: 7 });
    expect(readBudget(project, RUN)?.limits).toEqual(notes.limits);
  });

  it('where the user’s folder cannot be written, it is noted all the same', async () => {
    fs.writeFileSync(path.join(folder, 'home/.local'), 'a file');
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: NOW };
    await writeBudget(project, RUN, { notes, lines: [] });
    expect(readSidecar(project.root, RUN).budget).toEqual(notes);
    expect(readBudget(project, RUN)).toBeNull();
  });

  it('a run that is paused is named with the command that brings it back', async () => {
    expect(await whyPaused(project, RUN)).toBeNull();
    pin({ tokens: 10 });
    expect(await whyPaused(project, RUN)).toBeNull();
    await expect(refusePaused(project, RUN)).resolves.toBeUndefined();
    expect(isPaused(project, RUN)).toBe(false);
    put(({ spent }) => ({ stage: 'paused', spent: { ...spent, tokens: 10 } }));
    expect(isPaused(project, RUN)).toBe(true);
    const said = `${RUN} is paused: its budget is spent. A person grants more in a terminal: \`/plugin/bin/holdfast resume ${RUN} --tokens 1M\``;
    expect(await whyPaused(project, RUN)).toBe(said);
    await expect(refusePaused(project, RUN)).rejects.toThrow(said);
  });
});
