import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, projectAt, sceneAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import type { Stop } from '../../clients/stop.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { journalFromEnd } from '../../store/journal.ts';
import { newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import { bind, writeSidecar } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { type BudgetAtStop, meterBudget } from './at-stop.ts';
import { meterBeside } from './beside.ts';
import { meter } from './meter.ts';
import { pinBudget } from './pin.ts';
import { changeBudget, readBudget } from './record.ts';
import { readRecordedBudget } from './recorded.ts';
import type { Budget, Limits } from './types.ts';

const RUN = 'idle:one';
const NONE: Limits = { tokens: null, timeMs: null, reviews: null, usd: null };
const START = NOW - 10_000;

let folder: string;
let project: Project;
let transcript: string;
beforeEach(() => {
  folder = tempFolder();
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  fs.mkdirSync(path.join(folder, 'home'));
  project = projectAt(root, { env: { HOME: path.join(folder, 'home') } });
  transcript = path.join(folder, 't.jsonl');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function uses(id: string, tokens: number, at: number): void {
  const message = { id, usage: { input_tokens: tokens, output_tokens: 0 } };
  const timestamp = new Date(at).toISOString();
  fs.appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', uuid: id, timestamp, message })}\n`);
}

function contextOf(stop: Partial<Stop> = {}, over: Partial<Project> = {}): StopContext {
  const here = { ...project, ...over };
  const scene = sceneAt(here, { session: 's1', transcriptPath: transcript, ...stop });
  return { stop: scene.stop, project: here, decidedOn: new Map() } as unknown as StopContext;
}

const pin = (limits: Partial<Limits>, name = RUN): Budget => {
  const pinned = pinBudget(project, name, { limits: { ...NONE, ...limits }, startedAt: START });
  if (pinned === null) throw new Error('not pinned');
  return pinned;
};
const put = (name: string, how: (budget: Budget) => Partial<Budget>): Budget => {
  const changed = changeBudget(project, name, (known) => known && { ...known, ...how(known) });
  if (changed === null) throw new Error('no budget');
  return changed;
};
const count = (known: Budget, more: object = {}, context = contextOf()): Promise<Budget> =>
  meter({ known, sidecar: newSidecar(RUN), finished: null, report: null, isHeld: true, ...more }, context);

const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'k', number: 1, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'x' },
};

describe('a stop of a run with a budget', () => {
  it('counts what its session used since the start, and the time', async () => {
    uses('before', 1000, START - 5);
    uses('a', 30, START + 5);
    const next = await count(pin({ tokens: 100 }));
    expect(next.spent).toMatchObject({ tokens: 30, timeMs: 10_000 });
    expect(next.meter).toMatchObject({ session: 's1', since: START, isHeld: true });
    expect(readBudget(project, RUN)).toEqual(next);
    expect((await count(next)).spent.tokens).toBe(30);
  });

  it('reads nothing where tokens have no limit, the run is paused, or nobody is known', async () => {
    uses('a', 30, START + 5);
    expect((await count(pin({ timeMs: 5 }))).spent.tokens).toBe(0);
    const limited = pin({ tokens: 100 }, 'idle:two');
    expect((await count(limited, {}, contextOf({ session: null }))).spent.tokens).toBe(0);
    const paused = put('idle:two', () => ({ stage: 'paused' }));
    expect((await count(paused)).spent.tokens).toBe(0);
    const open = put('idle:two', () => ({ stage: 'open' }));
    expect((await count(open, {}, contextOf({ client: 'unknown' }))).spent.tokens).toBe(0);
    expect((await count(open)).spent.tokens).toBe(30);
  });

  it.each(['clean', 'findings', 'none', 'failed', null] as const)(
    'counts a review that ended with %s, and what it cost',
    async (verdict) => {
      const tokens = { input: 1, cacheCreation: 2, output: 4, cacheRead: 8 };
      const report = { attempt: 'a1', spend: { usd: 0.5, tokens } };
      const next = await count(pin({ reviews: 5 }), { finished: { ...attempt, verdict }, report });
      const reviews = verdict === 'clean' || verdict === 'findings' ? 1 : 0;
      expect(next.spent).toMatchObject({ tokens: 7, cacheRead: 8, usd: 0.5, reviews });
      expect(next.reviewed).toEqual(['a1']);
    },
  );

  it('counts a review that says nothing of its cost', async () => {
    const next = await count(pin({ reviews: 5 }), { finished: attempt });
    expect(next.spent).toMatchObject({ tokens: 0, cacheRead: 0, usd: 0, reviews: 1 });
  });

  it('in another session counts what came after it was taken over', async () => {
    uses('early', 7, START + 1000);
    uses('late', 30, START + 5000);
    pin({ tokens: 100 });
    const other = put(RUN, ({ meter: known }) => ({
      meter: { ...known, session: 's0' },
      clock: { at: START + 500, still: null },
    }));
    const sidecar: Sidecar = { ...newSidecar(RUN), takenOver: START + 2000 };
    expect((await count(other, { sidecar })).spent.tokens).toBe(30);
  });

  it('in another session counts from its last stop, where nobody noted more', async () => {
    uses('early', 7, START + 1000);
    uses('late', 30, START + 5000);
    pin({ tokens: 100 });
    const other = put(RUN, ({ meter: known }) => ({
      meter: { ...known, session: 's0' },
      clock: { at: START + 500, still: null },
    }));
    const next = await count(other);
    expect(next.spent.tokens).toBe(37);
    expect(next.meter).toMatchObject({ session: 's1', since: START + 500 });
  });

  it('leaves to another run of the session what was used while that one was held', async () => {
    bind(project.root, 'idle:two', ['s1']);
    bind(project.root, RUN, ['s1']);
    const two = pin({ tokens: 100 }, 'idle:two');
    uses('a', 30, START + 5);
    await meter(
      { known: two, sidecar: newSidecar('idle:two'), finished: null, report: null, isHeld: true },
      contextOf(),
    );
    expect((await count(pin({ tokens: 100 }))).spent.tokens).toBe(0);
    expect(readBudget(project, 'idle:two')?.spent.tokens).toBe(30);
  });

  it('does not leave it to one that is paused, was not held, or has another session', async () => {
    bind(project.root, 'idle:two', ['s1']);
    bind(project.root, RUN, ['s1']);
    pin({ tokens: 100 }, 'idle:two');
    uses('a', 30, START + 5);
    const known = pin({ tokens: 100 });
    const held = { session: 's1', isHeld: true };
    for (const [more, change] of [
      [{ stage: 'paused' }, held],
      [{}, { ...held, isHeld: false }],
      [{}, { ...held, session: 's2' }],
    ] as const) {
      put('idle:two', ({ meter: before }) => ({ stage: 'open', ...more, meter: { ...before, ...change } }));
      put(RUN, () => known);
      expect((await count(known)).spent.tokens).toBe(30);
    }
  });

  it('knows that from now on another one is held', async () => {
    expect((await count(pin({ tokens: 100 }), { isHeld: false })).meter.isHeld).toBe(false);
  });
});

describe('a run beside the one that is held', () => {
  it('is counted up to now, and from then on its clock stands still', async () => {
    writeSidecar(project.root, { ...newSidecar(RUN), sessions: ['s1'] });
    pin({ tokens: 100 });
    uses('a', 30, START + 5);
    await meterBeside(RUN, contextOf());
    expect(readBudget(project, RUN)).toMatchObject({
      spent: { tokens: 30, timeMs: 10_000 },
      clock: { at: NOW, still: { for: 'limit', since: NOW, until: null } },
      meter: { isHeld: false },
    });
  });

  it('of another session is left alone, and one without a budget gets none', async () => {
    writeSidecar(project.root, { ...newSidecar(RUN), sessions: ['s2'] });
    const known = pin({ tokens: 100 });
    await meterBeside(RUN, contextOf());
    expect(readBudget(project, RUN)).toEqual(known);
    writeSidecar(project.root, { ...newSidecar('idle:two'), sessions: ['s1'] });
    await meterBeside('idle:two', contextOf());
    expect(readBudget(project, 'idle:two')).toBeNull();
  });
});

describe('a budget at a stop', () => {
  const at = async (context = contextOf(), sidecar = newSidecar(RUN)): Promise<BudgetAtStop> => {
    const metered = await meterBudget(RUN, { sidecar, finished: null, report: null }, context);
    if (metered === 'none') throw new Error('none');
    return metered.read();
  };

  it('is none where there is nothing to pin', async () => {
    const none = { sidecar: newSidecar(RUN), finished: null, report: null };
    expect(await meterBudget(RUN, none, contextOf())).toBe('none');
    expect(readBudget(project, RUN)).toBeNull();
  });

  it('is pinned from what the start noted, or from the settings', async () => {
    const notes = { limits: { ...NONE, reviews: 2 }, startedAt: START };
    const { budget } = await at(contextOf(), { ...newSidecar(RUN), budget: notes });
    expect(budget).toMatchObject({ limits: notes.limits, startedAt: START });
    fs.rmSync(path.join(folder, 'home/.local'), { recursive: true });
    const config = { ...DEFAULT_CONFIG, budget: { ...NONE, usd: 3 } };
    expect((await at(contextOf({}, { config }))).budget.limits).toEqual({ ...NONE, usd: 3 });
  });

  it('says before the first hold what is not counted', async () => {
    pin({ tokens: 100 });
    expect((await at()).notice).toBeNull();
    const said = (await at(contextOf({ client: 'unknown' }))).notice;
    expect(said).toMatch(
      /^Holdfast: .* does not tell how many tokens its sessions use, so that of idle:one's/,
    );
    put(RUN, () => ({ holds: 1 }));
    expect((await at(contextOf({ client: 'unknown' }))).notice).toBeNull();
    put(RUN, () => ({ holds: 0, limits: { ...NONE, timeMs: 5 } }));
    expect((await at(contextOf({ client: 'unknown' }))).notice).toBeNull();
  });

  it('answers what is due, with what the journal needs to ask again', async () => {
    pin({ reviews: 2 });
    put(RUN, ({ spent }) => ({ spent: { ...spent, reviews: 2 } }));
    const { ask } = await at();
    expect([ask('hold').answer, ask('review').answer]).toEqual(['goes-on', 'last-hold']);
    const { record } = ask('review');
    expect(readRecordedBudget(record)).toMatchObject({
      ...{ question: { stage: 'open', due: 'review' }, result: 'last-hold' },
    });
    expect(readRecordedBudget(undefined)).toBeNull();
    expect(readRecordedBudget({ ...(record as object), due: 'work' })).toBeNull();
    expect(readRecordedBudget({ ...(record as object), stage: 'x' })).toBeNull();
  });

  it('says what is spent, by what is due now or was when it was spent', async () => {
    pin({ tokens: 10, reviews: 2 });
    put(RUN, ({ spent }) => ({ spent: { ...spent, tokens: 12, reviews: 2 } }));
    const open = await at();
    expect(open.lastHold('hold')).toContain('The budget of idle:one is spent: 12 of 10 tokens. ');
    expect(open.lastHold('review')).toContain('is spent: 12 of 10 tokens, 2 of 2 reviews. ');
    put(RUN, () => ({ stage: 'last-hold', due: 'review' }));
    const last = await at();
    expect(last.lastHold('hold')).toContain('12 of 10 tokens, 2 of 2 reviews. ');
    expect(last.paused()).toBe(
      'Holdfast: idle:one is paused: its budget is spent (12 of 10 tokens, 2 of 2 reviews). Nothing is lost, and it holds nobody. To go on, grant more in a terminal of your own: `/plugin/bin/holdfast resume idle:one --tokens 1M --reviews 4`',
    );
  });

  it('writes down what was answered, and that it is spent', async () => {
    pin({ tokens: 10 });
    (await at()).settle({ kind: 'held', review: null });
    expect(readBudget(project, RUN)?.holds).toBe(1);
    (await at()).settle({ kind: 'last-hold', due: 'hold' });
    expect(readBudget(project, RUN)).toMatchObject({ stage: 'last-hold', holds: 2 });
    const events = [...journalFromEnd(project.root)].map((line) => ('what' in line ? line.what : null));
    expect(events).toEqual(['spent', 'set']);
  });

  it('of a paused run is left alone', async () => {
    pin({ tokens: 10 });
    put(RUN, () => ({ stage: 'paused', pausedAt: 5 }));
    (await at()).settle({ kind: 'held', review: null });
    expect(readBudget(project, RUN)?.holds).toBe(0);
  });
});
