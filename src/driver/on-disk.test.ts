// How a run stands on disk, what its budget says and what is noted of its waits, in real files.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { programs } from '../../test/support/programs.ts';
import type { HeadlessClient, HeadlessEvent } from '../clients/headless.ts';
import { clientNamed } from '../clients/index.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import { newBudget } from '../engine/budget/pin.ts';
import { budgetPlace } from '../engine/budget/place.ts';
import { changeBudget, readBudget } from '../engine/budget/record.ts';
import type { DrivenStand } from '../engine/driven.ts';
import type { Project } from '../engine/project.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import { ensureHome, sidecarPath } from '../store/home.ts';
import { appendToJournal, journalFromEnd } from '../store/journal.ts';
import type { JournalEntry } from '../store/journal-lines.ts';
import { NEW_SESSION, newSidecar, type Sidecar, type Waiting } from '../store/records.ts';
import { readSidecar, writeSession, writeSidecar } from '../store/sidecars.ts';
import { giveBudget, noteMoney, spentBudget, tokensOf } from './budget.ts';
import { Bell } from './clock.ts';
import { EndedBy } from './ended-by.ts';
import { follow, type Heard, NOTHING_HEARD } from './follow.ts';
import { Kept } from './kept.ts';
import { Listener } from './listener.ts';
import { News } from './news.ts';
import type { Said } from './report.ts';
import { look, runBegunIn } from './standing.ts';
import type { Tools } from './tools.ts';
import { noteWait } from './wait-note.ts';

const NOW = Date.UTC(2026, 10, 17, 12);
const HOUR = 3_600_000;
const RUN = 'idle:a';
const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };

function project(): Project {
  const { project: root, env } = programs({});
  return { root, home: ensureHome(root), env, now: NOW, cli: 'holdfast', config: DEFAULT_CONFIG };
}

const journal = ({ root }: Project, event: string, more: object = {}): void =>
  appendToJournal(root, {
    ...{ schema: 2, time: new Date(NOW).toISOString(), event, session: null, workflow: 'idle', run: 'a' },
    ...more,
  } as JournalEntry);

/** The commands of a workflow with one run, as far as they are asked. */
const cli = (stands?: DrivenStand, live = true): WorkflowCli =>
  ({
    runs: () => [
      { run: 'b', live: true, stage: 'of another', detail: {} },
      { run: 'a', live, stage: 'iteration 1/4', detail: {} },
    ],
    ...(stands === undefined ? {} : { driven: { stands: () => stands } }),
  }) as Pick<WorkflowCli, 'runs' | 'driven'> as WorkflowCli;

const standOf = (here: Project, commands = cli()) => look(here, commands, RUN).stand;
const wait = (here: Project, waiting: Partial<Waiting>): void =>
  writeSidecar(here.root, {
    ...newSidecar(RUN),
    waiting: { ...{ for: 'person', what: 'Which?', since: NOW, until: NOW + HOUR }, ...waiting },
  });
const pauseIt = (here: Project): void => {
  changeBudget(here, RUN, () => ({
    ...newBudget(here.root, RUN, { ...NONE, tokens: 100, usd: 1 }, NOW, NOW),
    ...{ stage: 'paused', spent: { tokens: 150, cacheRead: 0, timeMs: 0, reviews: 0, usd: 2 } },
  }));
};
const breakBudget = ({ root, env }: Project): void => {
  const file = path.join(env.HOME ?? '', '.local/state/holdfast', budgetPlace(root, RUN));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, 'broken');
};

describe('how a run stands', () => {
  it('is not known before it is begun, and over where it is gone', () => {
    const here = project();
    expect(look(here, cli(), null)).toEqual({
      ...{ stand: { kind: 'none' }, stage: 'not begun yet', mark: '', busy: false, sidecar: newSidecar('') },
    });
    wait(here, {});
    const gone = look(here, { ...cli(), runs: () => [] }, RUN);
    expect(gone).toMatchObject({
      stand: { kind: 'over', outcome: null, worth: null },
      stage: 'not begun yet',
    });
    expect(gone.sidecar.waiting?.what).toBe('Which?');
  });

  it('has its stage, and a mark that changes with it', () => {
    const here = project();
    const seen = look(here, cli(), RUN);
    expect(seen).toMatchObject({ stand: { kind: 'active' }, stage: 'iteration 1/4', busy: false });
    const committed = { before: 'x', after: 'y' } as Sidecar['committed'];
    writeSidecar(here.root, { ...newSidecar(RUN), committed });
    expect(look(here, cli(), RUN).mark).not.toBe(seen.mark);
    expect(seen.mark).not.toBe('');
  });

  it('is told by the last word of the journal on it', () => {
    const here = project();
    journal(here, 'start');
    expect(standOf(here)).toEqual({ kind: 'active' });
    journal(here, 'cancel');
    expect(standOf(here)).toEqual({ kind: 'over', outcome: 'cancelled', worth: null });
    journal(here, 'cancel', { run: 'b' });
    journal(here, 'adopt');
    expect(standOf(here)).toEqual({ kind: 'active' });
    journal(here, 'end', { outcome: 'released' });
    expect(standOf(here)).toEqual({ kind: 'released' });
    expect(standOf(here, cli(undefined, false))).toEqual({ kind: 'released' });
    journal(here, 'end', { outcome: 'completed', proof: 'proven' });
    expect(standOf(here, cli(undefined, false))).toEqual({
      kind: 'over',
      outcome: 'completed',
      worth: 'proven',
      byJournal: true,
    });
    expect(standOf(here)).toEqual({ kind: 'active' });
    journal(here, 'end', { outcome: 'completed' });
    expect(standOf(here, cli(undefined, false))).toMatchObject({ outcome: 'completed', worth: null });
  });

  it('is over where it is not live and nobody says how', () => {
    expect(standOf(project(), cli(undefined, false))).toEqual({ kind: 'over', outcome: null, worth: null });
  });

  it.each([
    [
      { kind: 'over', outcome: 'stuck' },
      { kind: 'over', outcome: 'stuck', worth: null },
    ],
    [{ kind: 'stale' }, { kind: 'stale' }],
    [
      { kind: 'person', why: 'Look.' },
      { kind: 'person', why: 'Look.' },
    ],
    [
      { kind: 'goes-on', reached: null },
      { kind: 'goes-on', reached: null },
    ],
  ] as const)('is what its workflow says: %j', (driven, stand) => {
    expect(standOf(project(), cli(driven))).toEqual(stand);
  });

  it('is paused where its budget is spent, or cannot be read', () => {
    const here = project();
    pauseIt(here);
    expect(standOf(here)).toEqual({
      kind: 'paused',
      why: 'Its budget is spent: 150 of 100 tokens, $2.00 of $1.00.',
      flags: '--tokens 1M --usd 5',
    });
    breakBudget(here);
    const why = 'Its budget cannot be read: `holdfast status` says why.';
    expect(standOf(here)).toEqual({ kind: 'paused', why, flags: '' });
  });

  it('is a question before what the workflow leaves to a person, and a hand-over after both', () => {
    const here = project();
    wait(here, {});
    expect(standOf(here, cli({ kind: 'person', why: 'Look.' }))).toEqual({
      kind: 'question',
      what: 'Which?',
    });
    const handover = { session: 's', text: 'Go on.' } as Sidecar['handover'];
    wait(here, { for: 'limit' });
    const waits = { kind: 'waits', for: 'limit', until: NOW + HOUR };
    expect(standOf(here)).toEqual(waits);
    writeSidecar(here.root, { ...readSidecar(here.root, RUN), sessions: ['s'], handover });
    expect(standOf(here)).toEqual({ kind: 'handed-over' });
    expect(standOf(here, cli({ kind: 'person', why: 'Look.' }))).toEqual({ kind: 'person', why: 'Look.' });
    writeSidecar(here.root, { ...readSidecar(here.root, RUN), sessions: ['t'] });
    expect(standOf(here)).toEqual(waits);
  });

  it('is taken over where another session has it, unless it is over', () => {
    const here = project();
    writeSidecar(here.root, { ...newSidecar(RUN), sessions: ['other'] });
    expect(look(here, cli(), RUN, ['mine']).stand).toEqual({ kind: 'taken-over' });
    expect(look(here, cli(), RUN).stand).toEqual({ kind: 'active' });
    expect(look(here, cli(undefined, false), RUN, ['mine']).stand).toMatchObject({ kind: 'over' });
  });

  it('is told without notes where those cannot be read', () => {
    const here = project();
    writeSidecar(here.root, newSidecar(RUN));
    fs.writeFileSync(sidecarPath(here.home, RUN), 'broken');
    expect(look(here, cli(), RUN)).toMatchObject({ stand: { kind: 'active' }, sidecar: newSidecar(RUN) });
  });

  it('is the run of that workflow that a session has begun last', () => {
    const here = project();
    expect(runBegunIn(here, 'idle', 's')).toBeNull();
    writeSession(here.root, 's', { ...NEW_SESSION, runs: ['idle:1', 'flow:2', 'idle:3', 'idler:4'] });
    expect(runBegunIn(here, 'idle', 's')).toBe('idle:3');
    expect(runBegunIn(here, 'taskie', 's')).toBeNull();
    expect(runBegunIn(here, 'idle', 't')).toBeNull();
  });
});

describe('the budget of a driven run', () => {
  const limitsOf = (here: Project) => readBudget(here, RUN)?.limits ?? null;
  const events = ({ root }: Project): string[] =>
    [...journalFromEnd(root)].map((entry) =>
      'what' in entry ? `${entry.event} ${entry.what}` : entry.event,
    );

  it('tells the tokens where somebody counts them', () => {
    const here = project();
    expect(tokensOf(here, RUN)).toBeNull();
    pauseIt(here);
    expect(tokensOf(here, RUN)).toBe(150);
    changeBudget(here, RUN, (known) => known && { ...known, limits: { ...NONE, reviews: 2 } });
    expect(tokensOf(here, RUN)).toBeNull();
    breakBudget(here);
    expect(tokensOf(here, RUN)).toBeNull();
  });

  it('is written where something was asked for, and counts from when that was', async () => {
    const here = project();
    await giveBudget(here, RUN, NONE, NOW - HOUR);
    expect(limitsOf(here)).toBeNull();
    await giveBudget(here, RUN, { ...NONE, tokens: 500 }, NOW - HOUR);
    expect(limitsOf(here)).toEqual({ ...NONE, tokens: 500 });
  });

  it('gives way where it allows more, and says so once', async () => {
    const here = project();
    await giveBudget(here, RUN, { ...NONE, tokens: 500, reviews: 3 }, NOW);
    const before = events(here);
    await giveBudget(here, RUN, { ...NONE, tokens: 900 }, NOW);
    expect(events(here)).toEqual(before);
    await giveBudget(here, RUN, { ...NONE, tokens: 200, usd: 5 }, NOW);
    expect(limitsOf(here)).toEqual({ tokens: 200, timeMs: null, reviews: 3, usd: 5 });
    expect(events(here)).toEqual(['budget set', ...before]);
  });

  it('is told what a session costs, and one that cannot be written does no harm', () => {
    const here = project();
    noteMoney(here, RUN, 's', 1);
    expect(readBudget(here, RUN)).toBeNull();
    pauseIt(here);
    noteMoney(here, RUN, 's', 1.5);
    expect(readBudget(here, RUN)?.spent.usd).toBe(3.5);
    breakBudget(here);
    noteMoney(here, RUN, 's', 2);
    expect(spentBudget(here, RUN).flags).toBe('');
  });

  it('that is none is said as one that cannot be read', () => {
    expect(spentBudget(project(), RUN).why).toBe('Its budget cannot be read: `holdfast status` says why.');
  });
});

describe('a wait of the driver', () => {
  const noted = (here: Project): Waiting | undefined => readSidecar(here.root, RUN).waiting;

  it.each([
    ['after-limit', 'rate_limit'],
    ['after-error', 'server_error'],
    ['first', 'server_error'],
  ] as const)('%s is noted as %s', async (say, what) => {
    const here = project();
    await noteWait(here, RUN, say, NOW + HOUR);
    expect(noted(here)).toEqual({ for: 'limit', since: NOW, until: NOW + HOUR, what });
  });

  it('is one wait where it grows longer, and a new one where the last is over or a reviewer’s', async () => {
    const here = project();
    await noteWait(here, RUN, 'after-limit', NOW + HOUR);
    await noteWait({ ...here, now: NOW + 1 }, RUN, 'after-error', NOW + 2 * HOUR);
    expect(noted(here)).toEqual({ for: 'limit', since: NOW, until: NOW + 2 * HOUR, what: 'rate_limit' });
    await noteWait({ ...here, now: NOW + 3 * HOUR }, RUN, 'after-error', NOW + 4 * HOUR);
    expect(noted(here)).toMatchObject({ since: NOW + 3 * HOUR, what: 'server_error' });
    wait(here, { for: 'limit', reviewer: 'codex', since: NOW - 1 });
    await noteWait(here, RUN, 'after-limit', NOW + HOUR);
    expect(noted(here)).toEqual({ for: 'limit', since: NOW, until: NOW + HOUR, what: 'rate_limit' });
  });

  it('leaves a question, but not a client’s cap, nor a question that is over', async () => {
    const here = project();
    wait(here, {});
    await noteWait(here, RUN, 'after-limit', NOW + HOUR);
    expect(noted(here)).toMatchObject({ for: 'person' });
    await noteWait({ ...here, now: NOW + HOUR }, RUN, 'after-limit', NOW + 2 * HOUR);
    expect(noted(here)).toMatchObject({ for: 'limit' });
    wait(here, { pause: true, capped: true });
    await noteWait(here, RUN, 'after-limit', NOW + HOUR);
    expect(noted(here)).toMatchObject({ for: 'limit' });
  });

  it('is not noted without a run, nor where the notes cannot be read', async () => {
    const here = project();
    await noteWait(here, null, 'after-limit', NOW + HOUR);
    expect(noted(here)).toBeUndefined();
    writeSidecar(here.root, newSidecar(RUN));
    fs.writeFileSync(sidecarPath(here.home, RUN), 'broken');
    await noteWait(here, RUN, 'after-limit', NOW + HOUR);
    expect(fs.readFileSync(sidecarPath(here.home, RUN), 'utf8')).toBe('broken');
  });
});

describe('a client that is followed', () => {
  const ENDED: HeadlessEvent = { kind: 'ended', code: 3, signal: null, trouble: null };
  const trouble = { what: 'limit', resetsAt: null, said: 'too many' } as const;

  /** Says these and then nothing more; each beat takes so many milliseconds. */
  async function followed(
    events: readonly HeadlessEvent[],
    { beatMs = 1000, silenceMs = 5000, asks = false, run = RUN as string | null } = {},
  ) {
    const here = project();
    const said: Said[] = [];
    const shown: unknown[] = [];
    async function* saying(): AsyncGenerator<HeadlessEvent> {
      yield* events;
      await new Promise<never>(() => {});
    }
    const client: HeadlessClient = {
      pid: 7,
      events: saying(),
      send: () => false,
      end: () => Promise.resolve(),
    };
    const listener = new Listener(client);
    await new Promise(setImmediate);
    const asked = new Bell();
    if (asks) asked.ring();
    let now = NOW;
    const report = {
      say: (each: Said) => void said.push(each),
      now: (status: unknown) => void shown.push(status),
    };
    const beat = async (): Promise<void> => {
      now += beatMs;
    };
    const clock = { now: () => now, passed: () => now, wait: async () => {}, beat };
    const tools = {
      ...{ env: here.env, client: clientNamed('claude-code'), cli: cli(), clock, report, asked, silenceMs },
      project: () => ({ ...here, now }),
    } as Pick<
      Tools,
      'env' | 'client' | 'cli' | 'clock' | 'report' | 'asked' | 'silenceMs' | 'project'
    > as Tools;
    const kept = new Kept(here.env, newRecord({ root: here.root, run }));
    const heard: Heard = { ...NOTHING_HEARD };
    let beats = 0;
    const eachBeat = async (): Promise<void> => void beats++;
    const news = new News(report, here.root, NOW);
    const end = await follow(listener, heard, kept, tools, {
      news,
      endedBy: new EndedBy({ isPersons: () => false, byStop: () => undefined, isUnderWay: () => false }),
      eachBeat,
    });
    kept.release();
    return { end, heard, said, shown, beats, record: kept.record, here };
  }

  it('is heard until its turn is over', async () => {
    const { end, heard, said, record } = await followed([
      { kind: 'session', id: 's' },
      { kind: 'turn' },
      { kind: 'tool', name: 'x' },
      { kind: 'alive' },
      { kind: 'denied', what: 'bash(rm)' },
      { kind: 'tool', name: 'y' },
      { kind: 'result', ok: true, usd: 0.5, trouble: null },
      { kind: 'turn' },
    ]);
    expect(end).toEqual({ kind: 'end', end: { how: 'turn', trouble: null } });
    expect(heard).toEqual({ begun: true, tools: 2, denied: 1, deniedLast: 'bash(rm)' });
    expect(said).toEqual([
      { event: 'turn', number: 1 },
      { event: 'denied', what: 'bash(rm)' },
      { event: 'turn-ended', tools: 2, usd: 0.5 },
    ]);
    expect(record).toMatchObject({ session: 's', spent: { turns: 1, tools: 2, usdHere: 0.5 } });
  });

  it('says its trouble, and what it cost is never less than before', async () => {
    const { end, said } = await followed([{ kind: 'result', ok: false, usd: null, trouble }]);
    expect(end).toEqual({ kind: 'end', end: { how: 'turn', trouble } });
    expect(said).toEqual([
      { event: 'turn-ended', tools: 0, usd: null },
      { event: 'trouble', what: 'limit', said: 'too many' },
    ]);
  });

  it.each([
    [[], 'never'],
    [[{ kind: 'alive' }, { kind: 'tool', name: 'x' }], 'never'],
    [[{ kind: 'session', id: 's' }], 'ended'],
    [[{ kind: 'turn' }], 'ended'],
  ] as const)('that ends after %j has ended: %s', async (events, how) => {
    const { end, said } = await followed([...events, { ...ENDED, trouble }]);
    expect(end).toEqual({ kind: 'end', end: { how, trouble } });
    expect(said.slice(-2)).toEqual([
      { event: 'client-ended', how: 'ended', code: 3, signal: null },
      { event: 'trouble', what: 'limit', said: 'too many' },
    ]);
    expect((await followed([...events, ENDED])).said.at(-1)).toMatchObject({ event: 'client-ended' });
  });

  it('that is silent for too long hangs', async () => {
    const { end, said, beats, shown, record } = await followed([{ kind: 'turn' }]);
    expect(end).toEqual({ kind: 'end', end: { how: 'silent', trouble: null } });
    expect(said.at(-1)).toEqual({ event: 'client-ended', how: 'silent', code: null, signal: null });
    expect(beats).toBe(6);
    expect(record.spent.workedMs).toBe(6000);
    expect(shown.at(-1)).toEqual({ stage: 'iteration 1/4', tools: 0, turns: 1, usd: null, waitsUntil: null });
  });

  it('is not silent for longer than a minute at a time: the machine may have slept', async () => {
    const { beats, record } = await followed([], { beatMs: HOUR, silenceMs: 120_000 });
    expect(beats).toBe(3);
    expect(record.spent.workedMs).toBe(180_000);
    expect((await followed([], { run: null })).shown.at(-1)).toMatchObject({ stage: 'not begun yet' });
  });

  it('is left where somebody asks us to end, after what it has said', async () => {
    const { end, beats, record } = await followed([{ kind: 'turn' }], { asks: true });
    expect(end).toEqual({ kind: 'asked' });
    expect(beats).toBe(0);
    expect(record.spent.turns).toBe(1);
  });
});
