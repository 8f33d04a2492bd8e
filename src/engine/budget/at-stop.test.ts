import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { journalIn, putToy, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import type { Stop } from '../../clients/stop.ts';
import { newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import type { ReviewReport } from '../work/report.ts';
import { type BudgetAtStop, meterBudget } from './at-stop.ts';
import { meterBeside } from './beside.ts';
import type { ToMeter } from './meter.ts';
import { readBudget } from './record.ts';
import type { Limits } from './types.ts';

const HOUR = 3_600_000;
const NOW = 10 * HOUR;
const START = 8 * HOUR;

let project: Project;
let transcript: string;
beforeEach(() => {
  project = bareProject(NOW);
  transcript = path.join(path.dirname(project.root), 't.jsonl');
});

type Given = Parameters<typeof budgetOf>[2];
const give = (more: Given, name = 'toy:a'): void => giveBudget(project, budgetOf(project, name, more));
const kept = (name = 'toy:a') => readBudget(project, name);
type Over = { sidecar?: Partial<Sidecar>; what?: Partial<ToMeter>; stop?: Partial<Stop>; driven?: string };
async function at({ sidecar = {}, what = {}, stop = {}, driven }: Over = {}, name = 'toy:a') {
  const notes = { ...newSidecar(name), sessions: [SESSION], ...sidecar };
  const context = stoppedIn(project, { transcriptPath: transcript, ...stop });
  const about = { sidecar: notes, finished: null, report: null, ...what };
  const found = await meterBudget(name, about, driven === undefined ? context : { ...context, driven });
  return found === 'none' ? null : found.read();
}
async function budget(over?: Over, name?: string): Promise<BudgetAtStop> {
  const found = await at(over, name);
  if (found === null) throw new Error('it has no budget');
  return found;
}

/** A message of the agent's at that time. */
function uses(tokens: number, time: number): void {
  const message = { id: `m-${time}`, usage: { input_tokens: tokens, output_tokens: 0 } };
  const line = { type: 'assistant', uuid: message.id, timestamp: new Date(time).toISOString(), message };
  fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
}
const since = (more: object = {}) => ({
  session: null,
  since: START,
  isHeld: true,
  pauses: [],
  files: {},
  seen: [],
  ...more,
});
const open = (limits: Partial<Limits>): NonNullable<Given> => ({
  limits,
  startedAt: START,
  clock: { at: START, still: null },
  meter: since(),
});

describe('a stop of a run with a budget', () => {
  it('counts what its session used since the start, and the time, once', async () => {
    uses(1000, START - 5);
    uses(30, START + 5);
    give(open({ tokens: 100 }));
    const { budget: now } = await budget({ stop: { transcriptPath: transcript, client: 'claude-code' } });
    expect(now.meter).toMatchObject({ session: SESSION, since: START, isHeld: true });
    expect([now.spent.tokens, (await budget()).budget.spent.tokens]).toEqual([30, 30]);
  });

  it.each<[string, Given, Partial<Stop>]>([
    ['tokens have no limit', open({ timeMs: 5 * HOUR }), {}],
    ['the run is paused', { ...open({ tokens: 100 }), stage: 'paused', pausedAt: 1 }, {}],
    ['the client is not known', open({ tokens: 100 }), { client: 'unknown' }],
    ['nobody is known', open({ tokens: 100 }), { session: null }],
  ])('counts no tokens where %s', async (_, given, stop) => {
    uses(30, START + 5);
    give(given);
    expect((await budget({ stop })).budget.spent.tokens).toBe(0);
  });

  it.each<[ReviewAttempt['verdict'], number]>([
    ['clean', 1],
    ['findings', 1],
    ['none', 0],
    ['failed', 0],
    [null, 0],
  ])('counts a review that ended with %s as %d, and what it cost', async (verdict, reviews) => {
    const finished = { id: 'a1', work: 'review', reviewer: 'codex', verdict } as ReviewAttempt;
    const tokens = { input: 1, cacheCreation: 2, output: 4, cacheRead: 8 };
    const report = { attempt: 'a1', spend: { usd: 0.5, tokens } } as ReviewReport;
    give(open({ reviews: 5 }));
    const { budget: now } = await budget({
      what: { finished, report },
    });
    expect(now.spent).toMatchObject({ tokens: 7, cacheRead: 8, usd: 0.5, reviews });
    expect(now.reviewed).toEqual(['a1']);
    give(open({ reviews: 5 }));
    expect((await budget({ what: { finished } })).budget.spent).toMatchObject({
      tokens: 0,
      cacheRead: 0,
      usd: 0,
    });
  });

  it.each([
    ['from when it was taken over', { takenOver: START + 2000 }, 30],
    ['from its last stop, where nobody noted more', {}, 37],
  ])('counts in another session %s', async (_, sidecar, tokens) => {
    uses(1000, START + 100);
    uses(7, START + 1000);
    uses(30, START + 5000);
    const clock = { at: START + 500, still: null };
    give({ ...open({ tokens: 100 }), meter: since({ session: 's0' }), clock });
    expect((await budget({ sidecar })).budget.spent.tokens).toBe(tokens);
  });

  it.each<[string, Given, object, number]>([
    ['was held', {}, { session: SESSION }, 0],
    ['is paused', { stage: 'paused' }, { session: SESSION }, 30],
    ['was not held', {}, { session: SESSION, isHeld: false }, 30],
    ['has another session', {}, { session: 's2' }, 30],
  ])('where another run of the session %s counts its own', async (_, more, meter, tokens) => {
    putToy(project, 'toy:a');
    putToy(project, 'toy:b');
    uses(30, START + 5);
    give({ ...open({ tokens: 100 }), ...more, meter: since(meter) }, 'toy:b');
    give(open({ tokens: 100 }));
    expect((await budget()).budget.spent.tokens).toBe(tokens);
  });

  it.each<[string, string | null, boolean]>([
    ['of the session is counted up to now, and stands still', SESSION, true],
    ['of another session is left alone', 'another', false],
  ])('a run beside the one that holds, %s', async (_, session, isCounted) => {
    putToy(project, 'toy:a', {}, session);
    await meterBeside('toy:a', stoppedIn(project));
    expect(kept()).toBeNull();
    give(open({ timeMs: 9 * HOUR }));
    const before = kept();
    await meterBeside('toy:a', stoppedIn(project));
    const still = { for: 'limit', since: NOW, until: null };
    const after = { spent: { timeMs: 2 * HOUR }, clock: { at: NOW, still }, meter: { isHeld: false } };
    if (isCounted) expect(kept()).toMatchObject(after);
    else expect(kept()).toEqual(before);
  });
});

describe('a budget at a stop', () => {
  const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
  const spent: Given = { limits: { timeMs: HOUR, reviews: 2 }, spent: { timeMs: 2 * HOUR, reviews: 2 } };

  it('is pinned from what the start noted, and none where there is nothing to pin', async () => {
    expect([await at(), kept()]).toEqual([null, null]);
    const { budget: now, notice } = await budget({
      sidecar: { budget: { limits, startedAt: 9 * HOUR } },
      stop: { client: 'cursor' },
    });
    expect(now).toMatchObject({ limits, spent: { timeMs: HOUR } });
    expect(notice).toMatch(/^Holdfast: Cursor does not tell/);
  });

  it.each<[string, Given, string]>([
    ['goes-on', { limits: { timeMs: HOUR }, spent: { timeMs: HOUR - 1 } }, 'last-hold'],
    ['last-hold', { limits: { reviews: 2, timeMs: HOUR }, spent: { timeMs: HOUR } }, 'last-hold'],
    ['pause', { ...spent, stage: 'last-hold' }, 'last-hold'],
    ['stays-paused', { ...spent, stage: 'paused', pausedAt: 1 }, 'paused'],
  ])('says %s, with what was asked, and settles what was answered', async (answer, given, stage) => {
    give(given);
    const { ask, settle, budget: now } = await budget();
    const question = { stage: now.stage, limits: now.limits, spent: now.spent, due: 'hold' };
    expect(ask('hold')).toEqual({ answer, due: 'hold', record: { ...question, result: answer } });
    settle({ kind: 'held', review: null });
    expect([kept()?.stage, kept()?.holds]).toEqual([now.stage, stage === 'paused' ? 0 : 1]);
    settle({ kind: 'last-hold', due: 'review' });
    expect(kept()).toMatchObject({ stage, holds: stage === 'paused' ? 0 : 2 });
    expect(journalIn(project).map(({ what }) => what)).toEqual(stage === 'paused' ? [] : ['spent']);
  });

  it('of reviews is spent where one is due', async () => {
    give({ limits: { reviews: 2 }, spent: { reviews: 2 } });
    const { ask } = await budget();
    expect([ask('hold').answer, ask('review').answer]).toEqual(['goes-on', 'last-hold']);
  });

  it.each<[NonNullable<Given>, 'hold' | 'review', string]>([
    [{}, 'hold', '2 of 1 h. '],
    [{}, 'review', '2 of 1 h, 2 of 2 reviews. '],
    [{ stage: 'last-hold', due: 'hold' }, 'review', '2 of 1 h. '],
    [{ stage: 'last-hold', due: 'review' }, 'hold', '2 of 1 h, 2 of 2 reviews. '],
  ])('(%j) says at a %s what is spent: %s', async (more, due, said) => {
    give({ ...spent, ...more });
    const found = await budget();
    expect(found.lastHold(due)).toContain(`The budget of toy:a is spent: ${said}`);
    if (more.due === 'review')
      expect(found.paused()).toContain('`holdfast resume toy:a --hours 2 --reviews 4`');
  });

  it.each<[Given, string, boolean]>([
    [{ limits: { tokens: 5 } }, 'cursor', true],
    [{ limits: { tokens: 5 } }, 'claude-code', false],
    [{ limits: { timeMs: HOUR } }, 'cursor', false],
    [{ limits: { tokens: 5 }, holds: 1 }, 'cursor', false],
  ])(
    '(%j, in %s) says before the first hold that tokens are not counted: %s',
    async (more, client, isSaid) => {
      give(more);
      expect((await budget({ stop: { client } })).notice?.includes('does not tell how many') ?? false).toBe(
        isSaid,
      );
    },
  );

  it('names once what was granted', async () => {
    const grants = [1, 2].map((time) => ({ at: time * HOUR, by: 'me', more: limits }));
    give({ limits, granted: grants.slice(0, 1) });
    const { notice, settle } = await budget();
    expect(notice).toContain('5 tokens were granted to toy:a at 1970-01-01 01:00 UTC by me');
    give({ limits, granted: grants });
    settle({ kind: 'held', review: null });
    expect(kept()?.granted).toEqual(grants.slice(1));
  });
});

describe('a run beside the one that is driven', () => {
  const [OWN, DRIVEN] = ['toy:beside', 'toy:driven'];
  beforeEach(() => {
    putToy(project, DRIVEN);
    putToy(project, OWN);
  });
  const spent: Given = { limits: { timeMs: HOUR }, spent: { timeMs: HOUR } };
  const lasts: Given = { limits: { timeMs: 9 * HOUR } };
  const stages = () => [kept(OWN)?.stage, kept(DRIVEN)?.stage];

  it('is bounded by that one’s budget where it has none, and counted there', async () => {
    expect(await at({ driven: DRIVEN }, OWN)).toBeNull();
    give({ ...spent, clock: { at: START, still: null } }, DRIVEN);
    const found = await budget({ driven: DRIVEN }, OWN);
    expect(kept(DRIVEN)?.spent.timeMs).toBe(3 * HOUR);
    expect(found.ask('hold').answer).toBe('last-hold');
    expect(found.lastHold('hold')).toContain(`The budget of ${DRIVEN} is spent`);
    found.settle({ kind: 'last-hold', due: 'hold' });
    expect(stages()).toEqual([undefined, 'last-hold']);
  });

  it.each([
    [OWN, DRIVEN],
    [DRIVEN, OWN],
  ])('is let go when the budget of %s is spent, not that of %s', async (over, other) => {
    give({ ...spent, stage: 'last-hold' }, over);
    give(lasts, other);
    const found = await budget({ driven: DRIVEN }, OWN);
    expect(found.ask('hold').answer).toBe('pause');
    expect(found.paused()).toContain(`${over} is paused`);
    found.settle({ kind: 'paused', now: NOW });
    expect([kept(over)?.stage, kept(other)?.stage]).toEqual(['paused', 'open']);
    expect(kept(other)?.clock.still).toMatchObject({ since: NOW });
    expect((await budget({ driven: DRIVEN }, OWN)).budget.stage).toBe(
      over === DRIVEN ? 'paused' : kept(OWN)?.stage,
    );
  });

  it('goes on with something left of both, and each counts the hold', async () => {
    give(lasts, OWN);
    give(lasts, DRIVEN);
    const found = await budget({ driven: DRIVEN }, OWN);
    expect(found.ask('hold').answer).toBe('goes-on');
    found.settle({ kind: 'held', review: null });
    expect([kept(OWN)?.holds, kept(DRIVEN)?.holds]).toEqual([1, 1]);
  });
});
