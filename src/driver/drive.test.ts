// The outer loop in one process: what it does in which order, what it leaves on record, in the journal and to be shown.

import { describe, expect, it } from 'vitest';
import {
  driven,
  driverScene,
  ENDED,
  NOW,
  RESULT,
  RUN,
  recordIn,
  type Scene,
  type SceneHow,
  SESSION,
  TOOL,
  TURN,
} from '../../test/support/driver-scene.ts';
import type { HeadlessEvent, Trouble } from '../clients/headless.ts';
import { metered } from '../engine/budget/changes.ts';
import { newBudget } from '../engine/budget/pin.ts';
import { changeBudget, readBudget } from '../engine/budget/record.ts';
import { appendToJournal } from '../store/journal.ts';
import { NEW_SESSION, newSidecar } from '../store/records.ts';
import { readSidecar, writeSession, writeSidecar } from '../store/sidecars.ts';
import { readRecord, recordName } from './record.ts';
import { NO_COUNTS } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NO_LIMITS = { tokens: null, timeMs: null, reviews: null, usd: null };
const GO_ON =
  'idle:a is not over yet: iteration 1/4. Look at what is done and what is missing, and go on with it. ' +
  'If you cannot go on without the user, ask with `holdfast ask "<question>"` before you end your turn.';
const AFTER_CRASH =
  'Your client was ended in the middle of its work, and your last step may be half done. Look at the files and at ' +
  '`git status` first, then go on with idle:a (iteration 1/4).';
const AFTER_LIMIT =
  'The usage limit that ended your last turn is over. Go on with idle:a (iteration 1/4) where you left off.';

/** The journal's lines in short. */
const lines = (scene: Scene): string[] => scene.journal().map(({ what, why }) => `${what}: ${why}`);
const events = ({ said }: Scene): string[] => said.map(({ event }) => event);
const over = (scene: Scene) => (): void => {
  scene.run.live = false;
  scene.run.stands = { kind: 'over', outcome: 'completed' };
};
const trouble = (what: Trouble['what'], resetsAt: number | null = null): HeadlessEvent => ({
  ...{ kind: 'result', ok: false, usd: null },
  trouble: { what, resetsAt, said: 'no' },
});
/** A client that ends the run with its last turn. */
function sceneThatEnds(how: SceneHow & { script: NonNullable<SceneHow['script']> }): Scene {
  const scene: Scene = driverScene({
    ...how,
    script: [...how.script.slice(0, -1), [() => over(scene)(), ...(how.script.at(-1) ?? [])]],
  });
  return scene;
}

describe('a run that is driven', () => {
  it('is driven to its end, with every step on record', async () => {
    const scene: Scene = sceneThatEnds({
      script: [[TURN, TOOL, () => scene.passes(60_000), RESULT]],
    });
    const { driven: end, record } = await driven(scene);
    const stand = { kind: 'over', outcome: 'completed', worth: null };
    expect(end).toEqual({ kind: 'finished', code: 0, why: 'completed', stand, denied: null });
    expect(scene.done).toEqual(['started: Do it all', 'ended']);
    expect(scene.said).toEqual([
      { event: 'client-began', session: SESSION, pid: 0, how: 'new' },
      { event: 'turn', number: 1 },
      { event: 'turn-ended', tools: 1, usd: null },
    ]);
    const line = { schema: 2, event: 'drive', session: SESSION, workflow: 'idle', run: 'a' };
    const [at, later] = [NOW, NOW + 60_000].map((time) => new Date(time).toISOString());
    expect(scene.journal()).toEqual([
      { ...line, time: at, what: 'began', why: 'claude-code' },
      { ...line, time: at, what: 'client-began', why: 'claude-code' },
      { ...line, time: later, what: 'client-ended', why: 'finished' },
      { ...line, time: later, what: 'finished', why: 'completed, exit code 0' },
    ]);
    expect(record).toMatchObject({
      ...{ client: null, session: SESSION, counts: NO_COUNTS, next: { session: 'same', say: 'first' } },
      ...{ ended: { code: 0, why: 'completed', at: NOW + 60_000 } },
      spent: { turns: 1, tools: 1, sessions: 1, workedMs: 60_000, waitedMs: 0 },
    });
    expect(readRecord(scene.project.env, recordName(record))).toEqual(record);
  });

  it('has what a driver that died left ended first, and how it ended before forgotten', async () => {
    const scene = sceneThatEnds({ script: [[RESULT]] });
    const left = { client: { pid: 42, start: '7' }, ended: { code: 5, why: 'crashes', at: NOW } };
    let saved: unknown;
    scene.tools.report.say = ({ event }) => {
      if (event !== 'client-began') return;
      saved = readRecord(scene.project.env, recordName(recordIn(scene)));
    };
    await driven(scene, recordIn(scene, left));
    expect(scene.done).toEqual(['left over: 42', 'started: Do it all', 'ended']);
    expect(saved).toMatchObject({ client: { pid: 0, start: null }, ended: null });
  });

  it('goes on in the same process after a turn that nothing held, and gives up at the fourth', async () => {
    const scene = driverScene({ script: [[RESULT], [RESULT], [RESULT], [RESULT]] });
    const { driven: end, record } = await driven(scene);
    expect(end).toEqual({
      ...{ kind: 'finished', code: 5, why: 'prompts', stand: { kind: 'active' }, denied: null },
    });
    expect(scene.done).toEqual([
      ...['started: Do it all', `sent: ${GO_ON}`, `sent: ${GO_ON}`, `sent: ${GO_ON}`, 'ended'],
    ]);
    expect(record.counts).toEqual({ ...NO_COUNTS, prompts: 3 });
    expect(record.next).toEqual({ session: 'same', say: 'go-on', at: null });
  });

  it('is prompted for as long as its state moves', async () => {
    const moves = (stage: string): void => {
      scene.run.stage = stage;
    };
    const scene: Scene = sceneThatEnds({
      script: [...['1', '2', '3', '4', '5'].map((stage) => [() => moves(stage), RESULT]), [RESULT]],
    });
    const { driven: end, record } = await driven(scene);
    expect(end).toMatchObject({ code: 0 });
    expect(scene.done.filter((each) => each.startsWith('sent'))).toHaveLength(5);
    expect(record.counts.prompts).toBe(1);
  });

  it('is prompted for as long as tools are called, but twelve times at most', async () => {
    const scene = driverScene({ script: Array.from({ length: 40 }, () => [TOOL, RESULT]) });
    const { driven: end, record } = await driven(scene);
    expect(end).toMatchObject({ code: 5, why: 'prompts' });
    expect(record.counts).toEqual({ ...NO_COUNTS, toolsAlone: 12, prompts: 3 });
    expect(record.spent.tools).toBe(15);
  });

  it('counts tools since the last turn alone', async () => {
    const scene = driverScene({ script: [[TOOL, TOOL, RESULT], [RESULT], [RESULT], [RESULT]] });
    const { record } = await driven(scene);
    expect(record.counts).toEqual({ ...NO_COUNTS, toolsAlone: 1, prompts: 3 });
    expect(scene.said.filter(({ event }) => event === 'turn-ended')).toEqual([
      { event: 'turn-ended', tools: 2, usd: null },
      ...Array.from({ length: 3 }, () => ({ event: 'turn-ended', tools: 0, usd: null })),
    ]);
  });

  it('only takes what moved since it was last judged for progress', async () => {
    const first = driverScene({ script: [[RESULT], [RESULT], [RESULT], [RESULT]] });
    const { record } = await driven(first);
    expect(record.mark).not.toBe('');
    const again = driverScene({ script: [[RESULT]] });
    const marked = await driven(again, recordIn(again, { mark: record.mark, counts: record.counts }));
    expect(marked.driven).toMatchObject({ code: 5, why: 'prompts' });
    const moved = sceneThatEnds({ script: [[RESULT], [RESULT]] });
    const other = await driven(moved, recordIn(moved, { mark: 'of before', counts: record.counts }));
    expect(other.driven).toMatchObject({ code: 0 });
    expect(moved.done).toEqual(['started: Do it all', `sent: ${GO_ON}`, 'ended']);
  });

  it('is resumed in a new process after a crash, three times', async () => {
    const scene = driverScene({
      script: [
        [TURN, ENDED],
        [TURN, ENDED],
        [TURN, ENDED],
      ],
      headless: { canResume: () => true },
    });
    const { driven: end } = await driven(
      scene,
      recordIn(scene, { next: { session: 'same', say: 'go-on', at: null } }),
    );
    expect(end).toMatchObject({ code: 5, why: 'crashes' });
    const twice = [`started: ${AFTER_CRASH}`, 'ended'];
    expect(scene.done).toEqual([`started: ${GO_ON}`, 'ended', ...twice, ...twice]);
    expect(lines(scene)).toEqual([
      'began: claude-code',
      ...Array.from({ length: 3 }, () => ['client-began: claude-code', 'client-ended: ended']).flat(),
      'finished: crashes, exit code 5',
    ]);
  });

  it('could not be started where its client never begins', async () => {
    const scene = driverScene({ script: [[TURN, ENDED], [ENDED], [ENDED], [TURN]] });
    expect((await driven(scene)).driven).toMatchObject({ code: 1, why: 'never-began' });
    expect(scene.starts).toHaveLength(3);
    expect(lines(scene).filter((line) => line.startsWith('client-ended'))).toEqual([
      ...['client-ended: ended', 'client-ended: never', 'client-ended: never'],
    ]);
  });

  it('is started again where its client hangs', async () => {
    const scene = sceneThatEnds({ script: [[TURN], [RESULT]] });
    expect((await driven(scene)).driven).toMatchObject({ code: 0 });
    expect(lines(scene)[2]).toBe('client-ended: silent');
    expect(scene.starts).toHaveLength(2);
  });

  it('is started again where its client takes no further prompt', async () => {
    const scene = sceneThatEnds({ script: [[RESULT], [RESULT]], takesPrompts: false });
    expect((await driven(scene)).driven).toMatchObject({ code: 0 });
    expect(scene.done.map((each) => each.split(' ')[0])).toEqual([
      ...['started:', 'refused:', 'ended', 'started:', 'ended'],
    ]);
    expect(lines(scene)[2]).toBe('client-ended: it takes no further prompt');
  });

  it('is started again where its client has ended after its turn', async () => {
    const scene = sceneThatEnds({ script: [[RESULT, ENDED], [RESULT]] });
    expect((await driven(scene)).driven).toMatchObject({ code: 0 });
    expect(scene.done.map((each) => each.split(' ')[0])).toEqual(['started:', 'ended', 'started:', 'ended']);
    expect(lines(scene)[2]).toBe('client-ended: ended');
  });

  it('goes on in a new session where the context is full again', async () => {
    const scene = sceneThatEnds({ script: [[trouble('context')], [trouble('context')], [RESULT]] });
    const { driven: end, record } = await driven(scene);
    expect(end).toMatchObject({ code: 0 });
    expect(scene.done.map((each) => each.split(' ')[0])).toEqual([
      ...['started:', 'sent:', 'ended', 'started:', 'ended'],
    ]);
    expect(lines(scene)).toEqual([
      ...['began: claude-code', 'client-began: claude-code', 'client-ended: a new session follows'],
      ...['client-began: claude-code', 'client-ended: finished', 'finished: completed, exit code 0'],
    ]);
    expect(record.session).not.toBe(SESSION);
    expect(record.next).toEqual({ session: 'same', say: 'new-session', at: null });
    expect(record.spent.sessions).toBe(2);
  });

  it('waits on for work in the background: its client wakes it', async () => {
    const waiting = { for: 'work', what: 'a build', since: NOW, until: NOW + HOUR } as const;
    const wakes: Scene = driverScene({
      sidecar: { waiting },
      script: [[RESULT, TURN, () => over(wakes)(), RESULT]],
    });
    expect((await driven(wakes)).driven).toMatchObject({ code: 0 });
    expect(wakes.done).toEqual(['started: Do it all', 'ended']);
    expect(events(wakes)).toEqual(['client-began', 'turn-ended', 'turn', 'turn-ended']);
  });

  it('is left with its client ended where something fails, and says what', async () => {
    const scene = driverScene({ script: [[TURN]] });
    scene.tools.report.say = ({ event }) => {
      if (event === 'turn') throw new Error('cannot be shown');
    };
    await expect(driven(scene)).rejects.toThrow('cannot be shown');
    expect(scene.done).toEqual(['started: Do it all', 'ended']);
    expect(lines(scene).at(-1)).toBe('client-ended: done');
    const record = readRecord(scene.project.env, recordName(recordIn(scene)));
    expect(record).toMatchObject({ client: null, ended: null });
  });
});

describe('of the hours of a budget', () => {
  const withHours = (scene: Scene): void => {
    const limits = { ...NO_LIMITS, timeMs: 4 * HOUR };
    changeBudget(scene.project, RUN, () => newBudget(scene.project.root, RUN, limits, NOW, NOW));
  };
  /** As the next stop counts them, of a client that writes down no times. */
  const spent = (scene: Scene): number | undefined => {
    const budget = readBudget(scene.project, RUN);
    const usage = { now: scene.now(), usage: null, review: null };
    return budget === null ? undefined : metered(budget, usage).spent.timeMs;
  };
  const working = (scene: () => Scene) => () => scene().passes(MINUTE);

  it('no wait for a limit or an error counts, in the same process or in a new one', async () => {
    for (const takesPrompts of [true, false]) {
      const turn = [TURN, working(() => scene)];
      const scene: Scene = sceneThatEnds({
        script: [
          [...turn, trouble('limit', NOW + 10 * HOUR)],
          [...turn, trouble('server')],
          [...turn, RESULT],
        ],
        ...{ takesPrompts, headless: { canResume: () => true } },
      });
      withHours(scene);
      expect((await driven(scene)).driven).toMatchObject({ code: 0 });
      expect(scene.now()).toBeGreaterThan(NOW + 10 * HOUR);
      expect(spent(scene)).toBe(3 * MINUTE);
    }
  });

  it('neither does the time between ^C and --continue', async () => {
    const first: Scene = driverScene({
      script: [[TURN, working(() => first), () => first.asked.ring(), () => first.passes(0)]],
    });
    withHours(first);
    const { driven: left, record } = await driven(first);
    expect(left).toEqual({ kind: 'left' });
    const worked = spent(first);
    const again: Scene = sceneThatEnds({
      script: [[TURN, working(() => again), RESULT]],
      headless: { canResume: () => true },
    });
    again.passes(first.now() - NOW + 10 * HOUR);
    const known = readBudget(first.project, RUN);
    changeBudget(again.project, RUN, () => known && { ...known, root: again.project.root });
    await driven(again, { ...record, root: again.project.root });
    expect(spent(again)).toBe((worked ?? 0) + MINUTE);
    expect(worked).toBeLessThan(HOUR);
  });

  it('a client that dies, or hangs, counts to its end', async () => {
    const scene: Scene = sceneThatEnds({
      script: [[TURN, working(() => scene), ENDED], [TURN], [TURN, RESULT]],
      headless: { canResume: () => true },
    });
    withHours(scene);
    expect((await driven(scene)).driven).toMatchObject({ code: 0 });
    expect(spent(scene)).toBe(scene.now() - NOW);
  });
});

describe('a run that is not started', () => {
  const person = { kind: 'person', why: 'Look.' } as const;

  it.each([
    ['over', { live: false }, 5, 'unknown-end', { kind: 'over', outcome: null, worth: null }],
    ['a person’s', { stands: person }, 6, 'person', person],
    ['gone', { isThere: false }, 5, 'unknown-end', { kind: 'over', outcome: null, worth: null }],
  ] as const)('is %s', async (_, run, code, why, stand) => {
    const scene = driverScene();
    Object.assign(scene.run, run);
    const { driven: end, record } = await driven(scene);
    expect(end).toEqual({ kind: 'finished', code, why, stand, denied: null });
    expect(scene.done).toEqual([]);
    expect(lines(scene)).toEqual(['began: claude-code', `finished: ${why}, exit code ${code}`]);
    expect(record.ended).toEqual({ code, why, at: NOW });
  });

  it('is paused', async () => {
    const scene = driverScene();
    changeBudget(scene.project, RUN, () => ({
      ...newBudget(scene.project.root, RUN, { ...NO_LIMITS, tokens: 100 }, NOW, NOW),
      ...{ stage: 'paused', spent: { tokens: 150, cacheRead: 0, timeMs: 0, reviews: 0, usd: 0 } },
    }));
    expect((await driven(scene)).driven).toMatchObject({ code: 7, why: 'paused' });
    expect(scene.done).toEqual([]);
  });

  it('is another session’s', async () => {
    const scene = driverScene({ sidecar: { sessions: ['other'] } });
    expect((await driven(scene)).driven).toMatchObject({ code: 6, why: 'taken-over' });
    expect(scene.done).toEqual([]);
  });

  it('waits for an answer; with it, it goes on', async () => {
    const waiting = { for: 'person', what: 'Which?', since: NOW, until: NOW + HOUR } as const;
    const scene = driverScene({ sidecar: { waiting } });
    expect((await driven(scene)).driven).toMatchObject({
      ...{ code: 6, why: 'question', stand: { kind: 'question', what: 'Which?' } },
    });
    expect(scene.done).toEqual([]);
    const answered = sceneThatEnds({
      ...{ sidecar: { waiting }, script: [[RESULT], [RESULT]], headless: { canResume: () => true } },
    });
    const release = answered.tools.headless.start;
    answered.tools.headless.start = (start) => {
      writeSidecar(answered.project.root, newSidecar(RUN));
      return release(start);
    };
    expect((await driven(answered, recordIn(answered), 'That one.')).driven).toMatchObject({ code: 0 });
    // It is an answer once.
    expect(answered.done).toEqual(['started: That one.', `sent: ${GO_ON}`, 'ended']);
  });

  it('stays as it was where something is to be done only after a turn', async () => {
    const released = driverScene({ script: [[RESULT]] });
    appendToJournal(released.project.root, {
      ...{ schema: 2, time: new Date(NOW).toISOString(), event: 'end', session: SESSION },
      ...{ workflow: 'idle', run: 'a', outcome: 'released' },
    } as Parameters<typeof appendToJournal>[1]);
    const { driven: end } = await driven(released, recordIn(released, {}, { persist: 0 }));
    expect(end).toMatchObject({ code: 5, why: 'released' });
    expect(released.starts).toHaveLength(1);
  });
});

describe('the options of a drive', () => {
  it('end it at the stage that was asked for', async () => {
    const scene = driverScene({ script: [[RESULT]] });
    scene.run.stands = { kind: 'goes-on', reached: 'plan' };
    const { driven: end } = await driven(scene, recordIn(scene, {}, { stopAt: 'plan' }));
    expect(end).toMatchObject({ code: 0, why: 'stop-at' });
  });

  it.each([0, 2])('let it persist %d times after the guard let go', async (persist) => {
    const scene = driverScene({ script: [[RESULT], [RESULT], [RESULT]] });
    // As a stop that lets go writes it, however often somebody takes the run up.
    const start = scene.tools.headless.start;
    scene.tools.headless.start = (how) => {
      appendToJournal(scene.project.root, {
        ...{ schema: 2, time: new Date(NOW).toISOString(), event: 'end', session: SESSION },
        ...{ workflow: 'idle', run: 'a', outcome: 'released' },
      } as Parameters<typeof appendToJournal>[1]);
      return start(how);
    };
    const { driven: end, record } = await driven(scene, recordIn(scene, {}, { persist }));
    expect(end).toMatchObject({ code: 5, why: 'released' });
    expect(record.counts.persisted).toBe(persist);
    expect(scene.starts).toHaveLength(persist + 1);
  });
});

describe('refused tool calls', () => {
  const denied = (what: string): HeadlessEvent => ({ kind: 'denied', what });

  it('end it where nothing moves, and the last of them is named', async () => {
    const { driven: end } = await driven(
      driverScene({
        script: [
          [denied('a'), RESULT],
          [denied('b'), ENDED],
          [denied('c'), RESULT],
        ],
      }),
    );
    expect(end).toMatchObject({ code: 6, why: 'denied', denied: 'c' });
  });

  it('do no harm where something moves', async () => {
    const moves = (): void => {
      scene.run.stage = 'iteration 2/4';
    };
    const scene: Scene = driverScene({
      script: [
        [denied('a'), denied('b'), denied('c'), () => moves(), RESULT],
        [denied('d'), RESULT],
        [RESULT],
        [RESULT],
      ],
    });
    const { driven: end } = await driven(scene);
    expect(end).toMatchObject({ code: 5, why: 'prompts', denied: 'd' });
    const none: Scene = sceneThatEnds({ script: [[denied('a'), RESULT]] });
    expect((await driven(none)).driven).toMatchObject({ code: 0, denied: 'a' });
  });
});

describe('a wait', () => {
  const resetsAt = NOW + 3 * HOUR;
  const limit = trouble('limit', resetsAt);

  it('for a limit passes in the same process, and is shown, noted and counted', async () => {
    const paid = { kind: 'tool', name: 'Write' } as const;
    const scene: Scene = sceneThatEnds({
      script: [
        [TURN, paid, { ...limit, usd: 0.5 } as HeadlessEvent],
        [() => scene.passes(400), RESULT],
      ],
    });
    const spent = { ...recordIn(scene).spent, usdBefore: 2, waitedMs: 7 };
    const { driven: end, record } = await driven(scene, recordIn(scene, { spent }));
    expect(end).toMatchObject({ code: 0 });
    const waits = (resetsAt + 5000 - NOW) / 1000;
    expect(scene.done).toEqual(['started: Do it all', `waited: ${waits}s`, `sent: ${AFTER_LIMIT}`, 'ended']);
    const until = resetsAt + 5000;
    expect(scene.said).toContainEqual({ event: 'waits', why: 'after-limit', until });
    expect(scene.shown).toContainEqual({
      ...{ stage: 'iteration 1/4', tools: 1, turns: 1, usd: 2.5, waitsUntil: until },
    });
    expect(scene.journal()).toContainEqual(
      expect.objectContaining({ what: 'waits', why: 'after-limit', until: new Date(until).toISOString() }),
    );
    const { waiting } = readSidecar(scene.project.root, RUN);
    expect(waiting).toEqual({ for: 'limit', since: NOW, until, what: 'rate_limit' });
    expect(record.spent).toMatchObject({ waitedMs: 7 + waits * 1000, workedMs: 400 });
    expect(record.next).toMatchObject({ session: 'same', say: 'after-limit', at: until });
    expect(record.next.since).toBeGreaterThanOrEqual(NOW);
  });

  it('shows no money where nobody knows it', async () => {
    const scene = sceneThatEnds({ script: [[limit], [RESULT]] });
    await driven(scene);
    expect(scene.shown).toContainEqual({
      ...{ stage: 'iteration 1/4', tools: 0, turns: 0, usd: null, waitsUntil: resetsAt + 5000 },
    });
  });

  it('that is on record is waited for before anything is started', async () => {
    const scene = sceneThatEnds({ script: [[RESULT]] });
    await driven(scene, recordIn(scene, { next: { session: 'same', say: 'after-error', at: NOW + 9000 } }));
    expect(scene.done.map((each) => each.slice(0, 11))).toEqual(['waited: 9s', 'started: An', 'ended']);
    for (const at of [null, NOW, NOW - 1]) {
      const again = sceneThatEnds({ script: [[RESULT]] });
      await driven(again, recordIn(again, { next: { session: 'same', say: 'first', at } }));
      expect(again.done).toEqual(['started: Do it all', 'ended']);
      expect(events(again)).not.toContain('waits');
    }
  });

  it('is looked at again until its time has come', async () => {
    let looks = 0;
    const scene = sceneThatEnds({
      script: [[limit], [RESULT]],
      whileWaiting: ({ now }, until) => (++looks < 3 ? now() + 1000.4 : until),
    });
    const { record } = await driven(scene);
    expect(looks).toBe(3);
    expect(events(scene).filter((event) => event === 'waits')).toEqual(['waits']);
    expect(record.spent.waitedMs).toBe(resetsAt + 5000 - NOW);
  });

  it('takes as long as it was meant to, though the clock that was a month ahead is set back meanwhile', async () => {
    let looks = 0;
    const scene = sceneThatEnds({
      script: [[limit], [RESULT]],
      whileWaiting: ({ now, setsClockBack }, until) => {
        if (++looks > 1) return until;
        setsClockBack(30 * 24 * HOUR);
        return now() + 1000;
      },
    });
    const { record } = await driven(scene);
    const meant = resetsAt + 5000 - NOW;
    expect(scene.done.filter((each) => each.startsWith('waited'))).toEqual([
      ...[`waited: ${meant / 1000}s`, `waited: ${meant / 1000 - 1}s`],
    ]);
    const waitsUntil = NOW - 30 * 24 * HOUR + meant;
    expect(scene.shown).toContainEqual(expect.objectContaining({ waitsUntil }));
    expect(record.spent.waitedMs).toBe(meant);
  });

  it('that is on record is no longer than it was meant to be where the clock was ahead then', async () => {
    const scene = sceneThatEnds({ script: [[RESULT]] });
    const since = NOW + 30 * 24 * HOUR;
    const next = { session: 'same', say: 'after-error', at: since + 9000, since } as const;
    await driven(scene, recordIn(scene, { next }));
    expect(scene.done.map((each) => each.slice(0, 11))).toEqual(['waited: 9s', 'started: An', 'ended']);
  });

  it('ends where the client goes on by itself, which is not prompted then', async () => {
    const scene: Scene = driverScene({
      script: [[limit]],
      whileWaiting: ({ now }) => {
        scene.says([TURN, () => over(scene)(), RESULT]);
        return now() + 10;
      },
    });
    const { driven: end, record } = await driven(scene);
    expect(end).toMatchObject({ code: 0 });
    expect(scene.done.filter((each) => !each.startsWith('waited'))).toEqual(['started: Do it all', 'ended']);
    expect(events(scene)).toEqual([
      ...['client-began', 'turn-ended', 'trouble', 'waits', 'turn', 'turn-ended'],
    ]);
    expect(record.spent.waitedMs).toBeLessThan(HOUR);
  });

  it('outlives a client that ends meanwhile', async () => {
    let looks = 0;
    const scene: Scene = sceneThatEnds({
      script: [[limit], [RESULT]],
      whileWaiting: ({ now }, until) => {
        if (++looks === 1) scene.says([ENDED]);
        return looks < 8 ? now() + 10 : until;
      },
    });
    expect((await driven(scene)).driven).toMatchObject({ code: 0 });
    const doings = scene.done.map((each) => each.split(':')[0]);
    expect(doings.indexOf('ended')).toBeLessThan(doings.lastIndexOf('waited'));
    expect(doings.slice(-2)).toEqual(['started', 'ended']);
    expect(lines(scene)).toContain('client-ended: ended');
  });

  it('ends where somebody asks us to', async () => {
    const scene: Scene = driverScene({
      script: [[limit]],
      whileWaiting: ({ now, asked }) => {
        asked.ring();
        return now() + 10;
      },
    });
    const { driven: end, record } = await driven(scene);
    expect(end).toEqual({ kind: 'left' });
    expect(scene.done.map((each) => each.split(':')[0])).toEqual(['started', 'waited', 'ended']);
    expect(lines(scene).slice(-3)).toEqual([
      ...['waits: after-limit', 'client-ended: asked to end', 'left: undefined'],
    ]);
    expect(readRecord(scene.project.env, recordName(record))).toEqual(record);
    expect(record).toMatchObject({ client: null, ended: null, spent: { waitedMs: 10 } });
    expect(record.next.at).toBe(resetsAt + 5000);
  });
});

describe('a driver that is asked to end', () => {
  it('starts nothing where that was before it began', async () => {
    const scene = driverScene();
    scene.asked.ring();
    expect((await driven(scene)).driven).toEqual({ kind: 'left' });
    expect(scene.done).toEqual([]);
    expect(lines(scene)).toEqual(['began: claude-code', 'left: undefined']);
  });

  it('ends its client in the middle of a turn', async () => {
    const scene: Scene = driverScene({ script: [[TURN, () => scene.asked.ring()]] });
    expect((await driven(scene)).driven).toEqual({ kind: 'left' });
    expect(scene.done).toEqual(['started: Do it all', 'ended']);
    expect(lines(scene).slice(-2)).toEqual(['client-ended: asked to end', 'left: undefined']);
  });
});

describe('a run that its agent begins', () => {
  const begins = ({ project }: Scene): void =>
    writeSession(project.root, SESSION, { ...NEW_SESSION, runs: [RUN] });

  it('is named while its first turn goes on, with the budget that was asked for', async () => {
    let named: unknown;
    const scene: Scene = driverScene({
      script: [
        [
          ...[TURN, () => begins(scene), TURN],
          () => {
            named = readBudget(scene.project, RUN)?.limits;
          },
          ...[() => over(scene)(), RESULT],
        ],
      ],
    });
    const budget = { ...NO_LIMITS, tokens: 500 };
    const before = recordIn(scene, { run: null }, { budget });
    const { driven: end, record } = await driven(scene, before);
    expect(end).toMatchObject({ code: 0 });
    expect(named).toEqual(budget);
    expect(record.run).toBe(RUN);
    expect(scene.said.filter(({ event }) => event === 'run')).toEqual([{ event: 'run', run: RUN }]);
    expect(readRecord(scene.project.env, recordName(before))).toBeNull();
    expect(readRecord(scene.project.env, recordName(record))).toEqual(record);
    expect(readBudget(scene.project, RUN)?.startedAt).toBe(NOW - 1000);
    expect(scene.journal().map(({ run }) => run)).toEqual([null, null, 'a', 'a']);
  });

  it('is not named before there is one, nor twice', async () => {
    const scene = driverScene({ script: [[RESULT], [RESULT], [RESULT], [RESULT]] });
    const { driven: end, record } = await driven(scene, recordIn(scene, { run: null }));
    expect(end).toMatchObject({ code: 5, why: 'prompts', stand: { kind: 'none' } });
    expect(record.run).toBeNull();
    expect(events(scene)).not.toContain('run');
    const known: Scene = sceneThatEnds({ script: [[() => begins(known), RESULT]] });
    await driven(known);
    expect(events(known)).not.toContain('run');
  });

  it('is named before its client is started again where it was begun by one that died', async () => {
    const scene = driverScene();
    begins(scene);
    over(scene)();
    const { driven: end, record } = await driven(scene, recordIn(scene, { run: null }));
    expect(end).toMatchObject({ code: 0, why: 'completed' });
    expect(record.run).toBe(RUN);
    expect(scene.starts).toEqual([]);
  });
});

describe('whose the run was before', () => {
  it('counts until the session that was started for it has it', async () => {
    const former = ['before'];
    const waits: Scene = driverScene({
      sidecar: { sessions: former },
      script: [[RESULT], [RESULT], [RESULT], [RESULT]],
    });
    const unbound = await driven(waits, recordIn(waits, { former }));
    expect(unbound.driven).toMatchObject({ why: 'prompts' });
    expect(unbound.record.former).toEqual(former);
    const bound: Scene = sceneThatEnds({ sidecar: { sessions: [SESSION] }, script: [[RESULT]] });
    expect((await driven(bound, recordIn(bound, { former }))).record.former).toBeUndefined();
  });

  it('does not count where there is no session yet', async () => {
    const scene = driverScene({
      ...{ sidecar: { sessions: ['other'] }, script: [[RESULT], [RESULT], [RESULT], [RESULT]] },
      headless: { choosesSession: false },
    });
    const { driven: end } = await driven(scene, recordIn(scene, { session: null }));
    expect(end).toMatchObject({ why: 'prompts' });
  });
});
