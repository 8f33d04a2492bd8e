import { describe, expect, it } from 'vitest';
import { budgetOf, giveBudget } from '../../test/support/bare-project.ts';
import { driverScene, NOW, RUN, recordIn, type Scene, SESSION } from '../../test/support/driver-scene.ts';
import type { HeadlessEvent, Trouble } from '../clients/headless.ts';
import { readBudget } from '../engine/budget/record.ts';
import type { CheckAttempt, Sidecar } from '../store/records.ts';
import { EndedBy } from './ended-by.ts';
import { type Followed, follow, type Heard, NOTHING_HEARD } from './follow.ts';
import { Kept } from './kept.ts';
import { Listener } from './listener.ts';
import { News } from './news.ts';
import { type DriverRecord, NOTHING_SPENT, readRecord, recordName } from './record.ts';

const TROUBLE: Trouble = { what: 'limit', resetsAt: null, said: 'later' };
const RESULT: HeadlessEvent = { kind: 'result', ok: true, usd: null, trouble: null };
const ENDED: HeadlessEvent = { kind: 'ended', code: 3, signal: null, trouble: null };
const SILENT = { kind: 'end', end: { how: 'silent', trouble: null } };

type Saw = {
  followed: Followed;
  heard: Heard;
  record: DriverRecord;
  saved: DriverRecord | null;
  scene: Scene;
};
type How = {
  /** How many milliseconds pass in each beat. Where there is none left, somebody asks for the end. */
  beats?: readonly number[];
  record?: Partial<DriverRecord>;
  sidecar?: Partial<Sidecar>;
  heard?: Partial<Heard>;
  before?(scene: Scene): void;
  /** What the client says in a beat, by the beat's number. */
  later?: Readonly<Record<number, HeadlessEvent>>;
};

async function followed(words: readonly HeadlessEvent[], how: How = {}): Promise<Saw & { beats: number }> {
  const { beats = [], later = {} } = how;
  const scene = driverScene({ sidecar: how.sidecar ?? {} });
  how.before?.(scene);
  let say = (_: HeadlessEvent): void => {};
  async function* events(): AsyncGenerator<HeadlessEvent> {
    yield* words;
    for (;;) yield await new Promise<HeadlessEvent>((resolve) => (say = resolve));
  }
  const listener = new Listener({ pid: 0, events: events(), send: () => true, end: async () => {} });
  await new Promise(setImmediate);
  let now = NOW;
  let passed = 0;
  const tools = {
    ...scene.tools,
    asked: scene.asked,
    silenceMs: 100_000,
    project: () => ({ ...scene.project, now }),
    clock: {
      ...scene.tools.clock,
      now: () => now,
      async beat() {
        const ms = beats[passed++];
        if (ms === undefined) scene.asked.ring();
        now += ms ?? 0;
        const word = later[passed];
        if (word !== undefined) say(word);
        await new Promise(setImmediate);
      },
    },
  };
  const kept = new Kept(scene.project.env, recordIn(scene, how.record));
  const heard = { ...NOTHING_HEARD, ...how.heard };
  let looked = 0;
  const news = new News(tools.report, scene.project.root, NOW);
  const eachBeat = async (): Promise<void> => void looked++;
  const endedBy = new EndedBy({ isPersons: () => false, byStop: () => undefined, isUnderWay: () => false });
  const end = await follow(listener, heard, kept, tools, { news, endedBy, eachBeat });
  kept.release();
  expect(looked).toBe(passed);
  const saved = readRecord(scene.project.env, recordName(kept.record));
  return { followed: end, heard, record: kept.record, saved, scene, beats: passed };
}

describe('what a client says', () => {
  it('with its session is on record at once, and that it has begun', async () => {
    const { heard, saved, scene } = await followed([{ kind: 'session', id: 'another' }]);
    expect(heard).toEqual({ ...NOTHING_HEARD, begun: true });
    expect(saved?.session).toBe('another');
    expect(scene.said).toEqual([]);
  });

  it('of the session that is known writes nothing', async () => {
    const { saved } = await followed([{ kind: 'turn' }, { kind: 'session', id: SESSION }]);
    expect(saved).toMatchObject({ session: SESSION, spent: { turns: 0 } });
  });

  it('of turns and tools is counted', async () => {
    const spent = { ...NOTHING_SPENT, turns: 4, tools: 7 };
    const tool: HeadlessEvent = { kind: 'tool', name: 'Write' };
    const words: HeadlessEvent[] = [{ kind: 'turn' }, tool, tool, { kind: 'alive' }, { kind: 'turn' }];
    const { heard, record, scene } = await followed(words, { record: { spent } });
    expect(heard).toEqual({ ...NOTHING_HEARD, begun: true, tools: 2 });
    expect(record.spent).toEqual({ ...spent, turns: 6, tools: 9 });
    expect(scene.said).toEqual([
      { event: 'turn', number: 5 },
      { event: 'turn', number: 6 },
    ]);
  });

  it('of what it was denied is counted, and the last is remembered', async () => {
    const { heard, scene } = await followed([
      { kind: 'denied', what: 'rm a' },
      { kind: 'denied', what: 'rm b' },
    ]);
    expect(heard).toEqual({ ...NOTHING_HEARD, denied: 2, deniedLast: 'rm b' });
    expect(scene.said).toEqual([
      { event: 'denied', what: 'rm a' },
      { event: 'denied', what: 'rm b' },
    ]);
  });

  it('to show that it is alive does nothing else', async () => {
    const { heard, record, scene } = await followed([{ kind: 'alive' }]);
    expect(heard).toEqual(NOTHING_HEARD);
    expect(record.spent).toEqual(NOTHING_SPENT);
    expect(scene.said).toEqual([]);
  });
});

describe('a turn that is over', () => {
  it('ends the following, with what it cost on record and in the budget', async () => {
    const {
      followed: end,
      saved,
      scene,
      beats,
    } = await followed(
      [
        { kind: 'tool', name: 'a' },
        { ...RESULT, usd: 1.5 },
      ],
      {
        heard: { tools: 2 },
        before: ({ project }) => giveBudget(project, budgetOf(project, RUN, { limits: { usd: 5 } })),
      },
    );
    expect(end).toEqual({ kind: 'end', end: { how: 'turn', trouble: null } });
    expect(beats).toBe(0);
    expect(saved?.spent).toEqual({ ...NOTHING_SPENT, tools: 1, usdHere: 1.5 });
    expect(readBudget(scene.project, RUN)).toMatchObject({ spent: { usd: 1.5 }, money: { [SESSION]: 1.5 } });
    expect(scene.said).toEqual([{ event: 'turn-ended', tools: 3, usd: 1.5 }]);
  });

  it.each([
    [null, null, null],
    [2, null, 2],
    [2, 3, 3],
    [2, 1, 2],
    [null, 1, 1],
    [null, 0, 0],
  ])('after which %j was known, and %j is reported, has cost %j', async (known, usd, cost) => {
    const record = { spent: { ...NOTHING_SPENT, usdHere: known } };
    const { saved, scene } = await followed([{ ...RESULT, usd }], { record });
    expect(saved?.spent.usdHere).toBe(cost);
    expect(scene.said).toEqual([{ event: 'turn-ended', tools: 0, usd: cost }]);
  });

  it.each<[Partial<DriverRecord>, number | null]>([
    [{ run: null }, 1],
    [{ session: null }, 1],
    [{}, null],
  ])('is nobody’s money with %j and %j', async (record, usd) => {
    const { scene } = await followed([{ ...RESULT, usd }], {
      ...{ record },
      before: ({ project }) => giveBudget(project, budgetOf(project, RUN, { limits: { usd: 5 } })),
    });
    expect(readBudget(scene.project, RUN)?.money).toEqual({});
  });

  it('has its trouble said and judged', async () => {
    const { followed: end, scene } = await followed([{ ...RESULT, trouble: TROUBLE }]);
    expect(end).toEqual({ kind: 'end', end: { how: 'turn', trouble: TROUBLE } });
    expect(scene.said).toEqual([
      { event: 'turn-ended', tools: 0, usd: null },
      { event: 'trouble', what: 'limit', said: 'later' },
    ]);
  });

  it('has what the hook did told at once', async () => {
    const { scene } = await followed([RESULT], { sidecar: { attempts: [check()] } });
    expect(scene.said.map(({ event }) => event)).toEqual(['turn-ended', 'work']);
  });
});

describe('a client that has ended', () => {
  it.each<[string, readonly HeadlessEvent[], string]>([
    ['that had a session', [{ kind: 'session', id: SESSION }], 'ended'],
    ['that took a turn', [{ kind: 'turn' }], 'ended'],
    ['that did neither', [{ kind: 'alive' }], 'never'],
  ])('%s', async (_, words, how) => {
    const { followed: end, scene } = await followed([...words, ENDED]);
    expect(end).toEqual({ kind: 'end', end: { how, trouble: null } });
    expect(scene.said.at(-1)).toEqual({ event: 'client-ended', how: 'ended', code: 3, signal: null });
  });

  it('has its trouble said', async () => {
    const ended: HeadlessEvent = { kind: 'ended', code: null, signal: 'SIGTERM', trouble: TROUBLE };
    const { followed: end, scene } = await followed([ended]);
    expect(end).toEqual({ kind: 'end', end: { how: 'never', trouble: TROUBLE } });
    expect(scene.said).toEqual([
      { event: 'client-ended', how: 'ended', code: null, signal: 'SIGTERM' },
      { event: 'trouble', what: 'limit', said: 'later' },
    ]);
  });
});

const check = (more: Partial<CheckAttempt> = {}): CheckAttempt => ({
  ...{ id: 'c1', work: 'check', check: 'tests', definition: 'd', owner: null },
  ...{ status: 'running', deadline: NOW + 150_000 },
  ...more,
});

describe('a client that is silent', () => {
  it('is ended where it is so for longer than is allowed', async () => {
    const { followed: end, scene, beats } = await followed([], { beats: [60_000, 40_000, 1, 60_000] });
    expect(end).toEqual(SILENT);
    expect(beats).toBe(3);
    expect(scene.said).toEqual([{ event: 'client-ended', how: 'silent', code: null, signal: null }]);
  });

  it('has worked for as long as it was followed, a machine’s sleep and a clock set back left out', async () => {
    const { followed: end, record } = await followed([], {
      beats: [100.4, 36_000_000, -50_000, 1000],
      record: { spent: { ...NOTHING_SPENT, workedMs: 5 } },
    });
    expect(end).toEqual({ kind: 'asked' });
    expect(record.spent.workedMs).toBe(5 + 100 + 60_000 + 0 + 1000);
  });

  it('begins again with each word', async () => {
    const beats = [60_000, 40_000, 60_000, 40_000, 1];
    const saw = await followed([], { beats, later: { 2: { kind: 'alive' } } });
    expect(saw.followed).toEqual(SILENT);
    // The word of the second beat came before its time was counted as silence.
    expect(saw.beats).toBe(5);
  });

  it('is not taken to hang while a check of its run runs', async () => {
    const beats = [60_000, 60_000, 60_000, 40_000, 1];
    const saw = await followed([], { beats, sidecar: { attempts: [check()] } });
    expect(saw.beats).toBe(5);
    expect(saw.followed).toEqual(SILENT);
  });

  it('is shown beat by beat', async () => {
    const spent = { ...NOTHING_SPENT, turns: 1, tools: 2, usdBefore: 3 };
    const status = { stage: 'iteration 1/4', tools: 2, turns: 1, usd: null, waitsUntil: null };
    const none = await followed([], { beats: [1], record: { spent } });
    expect(none.scene.shown).toEqual([status, status]);
    const some = await followed([], { record: { spent: { ...spent, usdHere: 0.5 } } });
    expect(some.scene.shown).toEqual([{ ...status, usd: 3.5 }]);
  });
});

it('whoever asks for the end is heard after the words that are there, and before the next beat', async () => {
  const {
    followed: end,
    heard,
    beats,
  } = await followed([{ kind: 'turn' }], {
    before: ({ asked }) => asked.ring(),
  });
  expect(end).toEqual({ kind: 'asked' });
  expect(heard.begun).toBe(true);
  expect(beats).toBe(0);
});
