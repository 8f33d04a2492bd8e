import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, contextIn, giveBudget } from '../../../test/support/bare-project.ts';
import { journalIn } from '../../../test/support/stop-here.ts';
import type { Json } from '../../store/json.ts';
import { newSidecar } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { whyPaused, writeBudget } from './at-start.ts';
import { noteWork } from './note-work.ts';
import { isPaused } from './paused.ts';
import { newBudget, pinAtStop, pinBudget } from './pin.ts';
import { budgetPlace, hasBudget, isBudgeted } from './place.ts';
import { changeBudget, isBudget, readBudget } from './record.ts';
import { readRecordedBudget } from './recorded.ts';
import type { Budget, Limits } from './types.ts';

const NOW = 1_000_000;
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
});
const kept = (name = 'toy:a') => readBudget(project, name);
const fileOf = (name = 'toy:a'): string =>
  path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast', budgetPlace(project.root, name));

describe('a budget is pinned', () => {
  it('once, from its start, and the journal says so', () => {
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: NOW - 5 };
    const first = pinBudget(project, 'toy:a', notes);
    expect(first).toEqual(newBudget(project.root, 'toy:a', notes.limits, NOW - 5, NOW));
    expect(pinBudget(project, 'toy:a', { limits: { ...NONE, usd: 9 }, startedAt: 3 })).toEqual(first);
    expect(kept()).toEqual(first);
    expect(journalIn(project)).toMatchObject([
      { event: 'budget', run: 'a', what: 'set', limits: notes.limits },
    ]);
  });

  it('with a start that does not lie in the future', () => {
    const late = pinBudget(project, 'toy:a', { limits: NONE, startedAt: NOW + 9 });
    expect(late).toMatchObject({ startedAt: NOW, clock: { at: NOW }, meter: { since: NOW } });
    expect(newBudget('/root', 'toy:a', NONE, NOW + 9, NOW).clock.at).toBe(NOW);
  });

  it.each<[string, Partial<Limits> | null, Partial<Limits> | null, Partial<Limits> | null]>([
    ['nothing is noted and nothing set', null, null, null],
    ['only the start noted one', { tokens: 5 }, null, { tokens: 5 }],
    ['only the settings have one', null, { reviews: 2 }, { reviews: 2 }],
    [
      'there are both',
      { tokens: 5, reviews: 9 },
      { tokens: 7, reviews: 2, usd: 1 },
      { tokens: 5, reviews: 2, usd: 1 },
    ],
  ])('by the first stop, where %s', (_, noted, set, limits) => {
    const notes = noted === null ? undefined : { limits: { ...NONE, ...noted }, startedAt: NOW - 3 };
    const config = { ...project.config, budget: set && { ...NONE, ...set } };
    const pinned = pinAtStop({ ...project, config }, 'toy:a', notes);
    expect(pinned?.limits ?? null).toEqual(limits && { ...NONE, ...limits });
    expect(pinned?.startedAt).toBe(limits === null ? undefined : noted === null ? NOW : NOW - 3);
  });

  it('by a start, or noted where the user’s folder cannot be written', async () => {
    const notes = { limits: { ...NONE, tokens: 5 }, startedAt: 7 };
    await writeBudget(project, 'toy:a', { notes, lines: [] });
    expect([readSidecar(project.root, 'toy:a').budget, kept()?.limits]).toEqual([notes, notes.limits]);
    fs.rmSync(project.env.XDG_STATE_HOME ?? '', { recursive: true });
    fs.writeFileSync(project.env.XDG_STATE_HOME ?? '', 'a file');
    await writeBudget(project, 'toy:b', { notes, lines: [] });
    expect(readSidecar(project.root, 'toy:b').budget).toEqual(notes);
  });
});

it.each<[string, boolean, boolean, boolean, boolean]>([
  ['its start noted one', true, true, false, true],
  ['the settings have one, and it was not held yet', false, false, true, true],
  ['the project’s settings have one since', false, true, true, false],
  ['nobody gave it one', false, false, false, false],
])(
  'whether a run has a budget, where %s; a stop fired by hand has none',
  (_, isNoted, isHeld, isSet, has) => {
    const limits = { ...NONE, tokens: 5 };
    const committed = isHeld ? { before: 'x', after: 'y' } : null;
    const sidecar = {
      ...newSidecar('toy:a'),
      committed,
      budget: isNoted ? { limits, startedAt: 1 } : undefined,
    };
    const there = { ...project, config: { ...project.config, budget: isSet ? limits : null } };
    const at = (session: string | null): boolean =>
      isBudgeted(sidecar, contextIn(there, '', { stop: { session } }) as unknown as StopContext, 'toy:a');
    expect([at('s'), at(null)]).toEqual([has, false]);
    giveBudget(project, budgetOf(project, 'toy:a'));
    expect([at('s'), at(null)]).toEqual([true, false]);
  },
);

describe('the record of a budget', () => {
  it('is of that run in that project alone', () => {
    giveBudget(project, budgetOf(project, 'toy:a'));
    expect([hasBudget(project, 'toy:a'), hasBudget(project, 'toy:b')]).toEqual([true, false]);
    fs.copyFileSync(fileOf(), fileOf('toy:b'));
    expect(() => kept('toy:b')).toThrow(
      'the budget of toy:b in your state folder is a copy of that of toy:a',
    );
    expect(() => changeBudget(project, 'toy:b', (known) => known)).toThrow('is a copy');
    fs.writeFileSync(fileOf(), fs.readFileSync(fileOf(), 'utf8').replace(project.root, '/elsewhere'));
    expect(() => kept()).toThrow('is a copy of that of toy:a');
  });

  it.each(['', '{"schema":1}', 'null'])('that reads %j is never taken for none', (text) => {
    giveBudget(project, budgetOf(project, 'toy:a'));
    fs.writeFileSync(fileOf(), text);
    const said = `${fileOf()} is not readable as the budget of toy:a; put it right, or remove it`;
    expect(() => kept()).toThrow(said);
    expect(() => changeBudget(project, 'toy:a', (known) => known)).toThrow(said);
    expect(fs.readFileSync(fileOf(), 'utf8')).toBe(text);
    expect([isPaused(project, 'toy:a'), isPaused(project, 'toy:b')]).toEqual([true, false]);
  });

  it('says whether the run is paused, and how it is brought back', async () => {
    expect(await whyPaused(project, 'toy:a')).toBeNull();
    for (const stage of ['open', 'last-hold', 'paused'] as const) {
      giveBudget(project, budgetOf(project, 'toy:a', { stage, limits: { tokens: 5 }, spent: { tokens: 5 } }));
      expect(isPaused(project, 'toy:a')).toBe(stage === 'paused');
      const why = await whyPaused(project, 'toy:a');
      expect(why?.includes('resume toy:a --tokens 1M') ?? false).toBe(stage === 'paused');
    }
  });

  it('notes when the client worked until the next stop, but not while the run is paused', () => {
    noteWork(project, 'toy:a', 'ends');
    expect(kept()).toBeNull();
    giveBudget(project, budgetOf(project, 'toy:a'));
    noteWork(project, 'toy:a', 'ends');
    const away = { at: NOW, still: { for: 'limit', since: NOW, until: null }, wakes: true };
    expect(kept()?.clock).toEqual(away);
    noteWork({ ...project, now: NOW + 1 }, 'toy:a', 'begins');
    noteWork({ ...project, now: NOW + 2 }, 'toy:a', 'ends');
    const marks = [
      { at: NOW + 1, kind: 'begins' },
      { at: NOW + 2, kind: 'ends' },
    ];
    expect(kept()?.clock).toEqual({ ...away, marks });
    giveBudget(project, budgetOf(project, 'toy:a', { stage: 'paused', pausedAt: NOW }));
    noteWork(project, 'toy:a', 'ends');
    expect(kept()?.clock).toEqual({ at: NOW, still: null });
  });

  const still = { for: 'limit', since: 1, until: 2, reviewer: 'codex' } as const;
  const file = { inode: 1, offset: 2, at: 3, total: { tokens: 1, cacheRead: 2 } };
  const meter = { session: 's', since: 1, isHeld: true, pauses: [{ from: 1, to: 2 }], files: { f: file } };
  const whole: Budget = {
    ...newBudget('/root', 'toy:a', { tokens: 1, timeMs: 2, reviews: 3, usd: 0.5 }, NOW, NOW),
    pausedAt: 5,
    clock: { at: 1, still, wakes: true, marks: [{ at: 1, kind: 'ends' }], byStops: true },
    meter: { ...meter, seen: [{ id: 'm', tokens: 1, cacheRead: 2 }] },
    money: { s: 1.5 },
    granted: [{ at: 1, by: 'me', more: NONE }],
  };
  it.each<[string, unknown]>([
    ['schema', 2],
    ['run', 1],
    ['startedAt', -1],
    ['limits', { ...NONE, tokens: 1.5 }],
    ['limits', { ...NONE, usd: -0.5 }],
    ['spent', { ...whole.spent, tokens: -1 }],
    ['spent', { tokens: 0, timeMs: 0, reviews: 0, usd: 0 }],
    ['stage', 'over'],
    ['due', 'work'],
    ['pausedAt', 'now'],
    ['holds', null],
    ['clock', { at: 1, still: { ...still, for: 'sleep' } }],
    ['clock', { at: 1, still: { ...still, reviewer: 5 } }],
    ['clock', { at: 1, still, marks: [{ at: 1, kind: 'works' }] }],
    ['meter', { ...whole.meter, isHeld: 1 }],
    ['meter', { ...whole.meter, pauses: [{ from: 1 }] }],
    ['meter', { ...whole.meter, files: { a: { inode: 1 } } }],
    ['meter', { ...whole.meter, seen: [{ id: 'a' }] }],
    ['reviewed', [1]],
    ['money', { s: -1 }],
    ['granted', [{ at: 1, by: 'me', more: {} }]],
  ])('with %s as %j is not one', (key, value) => {
    expect(isBudget(whole)).toBe(true);
    expect(isBudget({ ...whole, [key]: value })).toBe(false);
  });
});

it('an answer is read from the journal with what was asked, or not at all', () => {
  const spent = { tokens: 1, cacheRead: 2, timeMs: 3, reviews: 4, usd: 0.25 };
  const question = {
    stage: 'open',
    limits: { tokens: 5, timeMs: null, reviews: 0, usd: 0.5 },
    spent,
    due: 'hold',
  };
  const read = (more: object) => readRecordedBudget({ ...question, result: 'goes-on', ...more } as Json);
  expect(read({})).toEqual({ question, result: 'goes-on' });
  const limits = { ...question.limits, usd: -1 };
  const bad = [{ result: 'holds' }, { stage: 'closed' }, { due: 'nothing' }, { limits }];
  for (const more of [...bad, { spent: { ...spent, tokens: null } }]) expect(read(more)).toBeNull();
  expect(readRecordedBudget(undefined)).toBeNull();
});
