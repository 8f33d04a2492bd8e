// The driver with a scripted client as a real process and the real hook: each row of docs/contracts/unattended.md.

import { afterEach, describe, expect, it } from 'vitest';
import type { Headless, StartHow } from '../../src/clients/headless.ts';
import { type Action, builtHeadless, driveOn, type Stage, stageWith, startedLoop } from './stage.ts';

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };
const IDLE: Action = { do: 'idle' };

let stage: Stage;

afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const iterations = (): number[] => stage.stops().flatMap(({ answer }) => (answer === 'hold' ? [1] : []));

describe('a loop that is driven', () => {
  it('is driven to its end in one process, and completes', async () => {
    stage = await stageWith([WORK, WORK, DONE]);
    const { driven, record, said } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ kind: 'finished', code: 0, why: 'completed' });
    expect(stage.starts()).toHaveLength(1);
    expect(iterations()).toHaveLength(2);
    expect(record).toMatchObject({
      client: null,
      ended: { code: 0 },
      spent: { turns: 1, tools: 3, sessions: 1 },
    });
    expect(record.spent.usdHere).toBeGreaterThan(0);
    expect(said.filter(({ event }) => event === 'stop')).toHaveLength(3);
  });

  it('waits for a limit until its reset, in the same process', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 3 * 3600;
    stage = await stageWith([WORK, { do: 'limit', resetsAt }, WORK, DONE]);
    const { driven, waits } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0 });
    expect(stage.starts()).toHaveLength(1);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(2.9 * 3_600_000);
    expect(stage.prompts()[1]?.prompt).toContain('The usage limit that ended your last turn is over');
  });

  it('goes on after errors of the server, with longer and longer waits', async () => {
    stage = await stageWith([WORK, { do: 'error' }, { do: 'error' }, { do: 'error' }, DONE]);
    const { driven, waits } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0 });
    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([15, 30, 60]);
  });

  it('resumes the session after a crash, and gives up at the third in a row', async () => {
    stage = await stageWith([WORK, { do: 'crash' }, WORK, { do: 'exit' }, DONE]);
    const { driven } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0 });
    expect(stage.starts().map(({ resumed }) => resumed)).toEqual([false, true, true]);
    expect(new Set(stage.starts().map(({ session }) => session)).size).toBe(1);
    stage.remove();
    stage = await stageWith([{ do: 'crash' }, { do: 'crash' }, { do: 'crash' }, DONE]);
    expect((await driveOn(stage, await startedLoop(stage))).driven).toMatchObject({
      code: 5,
      why: 'crashes',
    });
    expect(stage.starts()).toHaveLength(3);
  });

  it('ends a client that hangs, and goes on', async () => {
    stage = await stageWith([WORK, { do: 'hang' }, DONE]);
    const { driven, said } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0 });
    expect(stage.starts()).toHaveLength(2);
    expect(said).toContainEqual(expect.objectContaining({ event: 'client-ended', how: 'silent' }));
  });

  it('begins a new session when the context is too long even after compaction', async () => {
    stage = await stageWith([WORK, { do: 'context' }, { do: 'context' }, DONE]);
    const { driven, record } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0 });
    expect(stage.starts()).toHaveLength(2);
    expect(new Set(stage.starts().map(({ session }) => session)).size).toBe(2);
    expect(stage.prompts().at(-1)?.prompt).toContain('Do it all');
    expect(record.spent.sessions).toBe(2);
  });

  it('tries once more in a new session when the guard has let go, then gives up', async () => {
    stage = await stageWith(Array.from({ length: 40 }, () => ({ do: 'idle' as const })));
    const { driven } = await driveOn(stage, await startedLoop(stage, {}, 100));
    expect(driven).toMatchObject({ code: 5, why: 'released' });
    expect(new Set(stage.starts().map(({ session }) => session)).size).toBe(2);
  });

  it('prompts again where nothing held it, and says so when that does not help', async () => {
    stage = await stageWith([{ do: 'unheld' }, { do: 'unheld' }, { do: 'unheld' }, { do: 'unheld' }, DONE]);
    expect((await driveOn(stage, await startedLoop(stage))).driven).toMatchObject({
      code: 5,
      why: 'prompts',
    });
    expect(stage.prompts()).toHaveLength(4);
    expect(stage.starts()).toHaveLength(1);
  });

  it('prompts again past the cap of its client, as often as it takes', async () => {
    stage = await stageWith([{ do: 'cap', holds: 2 }, WORK, WORK, WORK, WORK, WORK, WORK, DONE]);
    const { driven } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 0, why: 'completed' });
    expect(stage.stops().map(({ answer }) => answer)).toEqual([
      ...['hold', 'hold', 'allow', 'hold', 'hold', 'allow', 'allow'],
    ]);
    expect(stage.prompts()).toHaveLength(3);
    expect(stage.prompts()[1]?.prompt).toMatch(/is not over yet: .*iteration 2\/10/);
    expect(stage.starts()).toHaveLength(1);
  });

  it('prompts past a cap only for as long as something moves, and never calls it a question', async () => {
    stage = await stageWith([{ do: 'cap', holds: 0 }, ...Array.from({ length: 9 }, () => IDLE)]);
    const { driven } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 5, why: 'prompts', stand: { kind: 'waits', for: 'prompt' } });
    expect(stage.prompts()).toHaveLength(4);
  });

  it('waits for a person with a question, and goes on with the answer', async () => {
    stage = await stageWith([WORK, { do: 'ask', question: 'Tabs or blanks?' }, WORK, DONE]);
    const asked = await driveOn(stage, await startedLoop(stage));
    expect(asked.driven).toMatchObject({ code: 6, stand: { kind: 'question', what: 'Tabs or blanks?' } });
    const again = await driveOn(stage, asked.record);
    expect(again.driven).toMatchObject({ code: 6 });
    expect(stage.starts()).toHaveLength(1);
    const answered = await driveOn(stage, asked.record, { answer: 'Tabs.' });
    expect(answered.driven).toMatchObject({ code: 0 });
    expect(stage.prompts()[1]?.prompt).toBe('Tabs.');
    expect(stage.starts().map(({ resumed }) => resumed)).toEqual([false, true]);
  });

  it('needs a person where the client is not logged in, or refuses again and again', async () => {
    stage = await stageWith([{ do: 'login' }]);
    expect((await driveOn(stage, await startedLoop(stage))).driven).toMatchObject({ code: 6, why: 'login' });
    stage.remove();
    const denied: Action = { do: 'denied' };
    stage = await stageWith([denied, denied, denied, { do: 'unheld' }]);
    expect((await driveOn(stage, await startedLoop(stage))).driven).toMatchObject({ code: 6, why: 'denied' });
  });

  it('calls us by our name where the client runs no program by its path', async () => {
    stage = await stageWith([{ do: 'unheld' }, DONE]);
    const real = builtHeadless();
    const starts: StartHow[] = [];
    const headless: Headless = {
      ...{ ...real, callsByName: true },
      start(how) {
        starts.push(how);
        return real.start(how);
      },
    };
    const { driven } = await driveOn(stage, await startedLoop(stage), { headless });
    expect(driven).toMatchObject({ code: 0 });
    expect(starts[0]?.allowed).toEqual(['holdfast ask', 'holdfast idle loop', 'git add']);
    expect(starts[0]?.env).toMatchObject({ PATH: expect.stringMatching(/\/bin:/), HOLDFAST_BY_NAME: '1' });
    expect(stage.prompts()[1]?.prompt).toContain('`holdfast ask "<question>"`');
  });

  it('is never started again once it is over', async () => {
    stage = await stageWith([DONE]);
    const { record } = await driveOn(stage, await startedLoop(stage));
    expect((await driveOn(stage, { ...record, ended: null })).driven).toMatchObject({ code: 0 });
    expect(stage.starts()).toHaveLength(1);
  });

  it('ends with the run when somebody cancels it', async () => {
    stage = await stageWith([WORK, { do: 'hang' }, DONE]);
    const { driven } = await driveOn(stage, await startedLoop(stage), {
      at: ({ event }) => event === 'stop' && stage.types(['cancel']),
    });
    expect(driven).toMatchObject({ code: 5, why: 'cancelled' });
  });

  it('ends when another session has adopted the run, and takes it again only where a person says so', async () => {
    stage = await stageWith([]);
    const started = await startedLoop(stage);
    stage.write([WORK, { do: 'hang' }, DONE]);
    const adopt = ['adopt', started.run ?? ''];
    const { driven, record } = await driveOn(stage, started, {
      at: ({ event }) => event === 'stop' && stage.types(adopt, { CLAUDE_CODE_SESSION_ID: 'another' }),
    });
    expect(driven).toMatchObject({ code: 6, why: 'taken-over', stand: { kind: 'taken-over' } });
    expect(stage.starts()).toHaveLength(1);
    expect((await driveOn(stage, { ...record, ended: null })).driven).toMatchObject({ why: 'taken-over' });
    expect(stage.starts()).toHaveLength(1);
    const next = { session: 'new', say: 'new-session', at: null } as const;
    const again = await driveOn(stage, { ...record, session: null, next });
    expect(again.driven).toMatchObject({ code: 0 });
    expect(again.record.former).toBeUndefined();
  });

  it('leaves everything whole when it is asked to end, and goes on from there', async () => {
    stage = await stageWith([WORK, WORK, { do: 'hang' }, WORK, DONE]);
    const left = await driveOn(stage, await startedLoop(stage), {
      at: (said, asked) => said.event === 'stop' && asked.ring(),
    });
    expect(left.driven).toEqual({ kind: 'left' });
    expect(left.record).toMatchObject({ client: null, ended: null });
    const { driven } = await driveOn(stage, left.record);
    expect(driven).toMatchObject({ code: 0 });
    expect(stage.starts()[1]).toMatchObject({ resumed: true, session: stage.starts()[0]?.session });
  });

  it('with --fresh gives each hold to a new session, and counts the same', async () => {
    stage = await stageWith([WORK, WORK, WORK, WORK, DONE]);
    const { driven } = await driveOn(stage, await startedLoop(stage, { fresh: true }));
    expect(driven).toMatchObject({ code: 0 });
    expect(new Set(stage.starts().map(({ session }) => session)).size).toBe(5);
    expect(stage.prompts().at(-1)?.prompt).toContain('[ITERATION 4/10]');
  });
});
