// Whose a loop is, how long it holds an agent that does nothing, and how it goes on after it let go.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodies, LOG, latest, postState, RUN, stores, transcript } from '../fixtures/idle/loops.ts';
import { fireHook, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const SESSION = 'session-1';
const asSession = (session: string) => ({ env: { CLAUDE_CODE_SESSION_ID: session } });
const start = (args: readonly string[], session = SESSION) =>
  runCli(project.root, ['idle', ...args], asSession(session));
const stop = (session: string, more: object = {}) =>
  fireHook(project.root, { session_id: session, prompt_id: 'p1', last_assistant_message: 'Hm.', ...more });

/** Does nothing between its stops, and its transcript shows it. */
function idler(session = SESSION) {
  const log = transcript(project, session);
  log.prompt('Fix the parser.');
  let count = 0;
  return async () => {
    log.said(`m${++count}`, `Hm ${count}.`);
    const fired = await stop(session, { transcript_path: log.file, last_assistant_message: `Hm ${count}.` });
    if (fired.answer?.reason) log.held(fired.answer.reason);
    return fired;
  };
}

describe('an agent that does nothing', () => {
  it('is let go after six holds with a notice that names idle resume, and then left alone', {
    tags: ['I-transition-2'],
  }, async () => {
    await start(['loop', '--max', '50', 'Fix the parser']);
    const next = idler();
    for (let hold = 1; hold <= 6; hold++)
      expect((await next()).answer?.reason).toContain(`[ITERATION ${hold}/50]`);
    const released = await next();
    expect(released.answer?.decision).toBeUndefined();
    expect(released.answer?.systemMessage).toContain('holdfast idle resume');
    expect(released.answer?.systemMessage).toContain('iteration 6/50: no progress in 6 holds,');
    for (let silent = 0; silent < 3; silent++)
      expect(await next()).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project).stack[0]?.iter).toBe(6);
  });

  it('is held again once somebody moved the state', async () => {
    await start(['loop', '--max', '50', 'Fix the parser']);
    const next = idler();
    for (let count = 0; count < 7; count++) await next();
    const { stack, run_id } = latest(project);
    postState(project, stack, { run_id, note: 'edited by hand' });
    expect((await next()).answer?.reason).toContain('[ITERATION 7/50]');
  });

  it('is held again after idle resume, with a new count', async () => {
    await start(['loop', '--max', '50', 'Fix the parser']);
    const next = idler();
    for (let count = 0; count < 8; count++) await next();
    const resumed = await start(['resume']);
    expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(resumed.stdout).toContain('goes on: loop, iteration 6/50');
    for (let hold = 7; hold <= 12; hold++)
      expect((await next()).answer?.reason).toContain(`[ITERATION ${hold}/50]`);
    expect((await next()).answer?.systemMessage).toContain('idle resume');
  });

  it('can still complete the loop after it was let go', async () => {
    await start(['loop', '--max', '50', 'Fix the parser']);
    const next = idler();
    for (let count = 0; count < 8; count++) await next();
    await stop(SESSION, { last_assistant_message: '<loop-done>COMPLETE</loop-done>' });
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });
});

describe('an agent that works', () => {
  it('runs through 25 iterations to its signal, far past the cap of 8', {
    tags: ['I-transition-2'],
  }, async () => {
    await start(['loop', '--max', '50', 'Fix the parser']);
    const log = transcript(project, SESSION);
    log.prompt('Fix the parser.');
    for (let n = 1; n <= 25; n++) {
      log.called('Bash');
      log.said(`m${n}`, `Step ${n}.`);
      const fired = await stop(SESSION, { transcript_path: log.file, last_assistant_message: `Step ${n}.` });
      expect(fired.answer?.reason).toContain(`[ITERATION ${n}/50]`);
      log.held(fired.answer?.reason ?? '');
    }
    const text = 'Done.\n\n<loop-done>COMPLETE</loop-done>';
    log.said('m26', text);
    const fired = await stop(SESSION, { transcript_path: log.file, last_assistant_message: text });
    expect(fired.answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE', stack: [] });
    expect(bodies(project)).toHaveLength(27);
  });

  it('is let go at the maximum of its loop', async () => {
    await start(['loop', '--max', '2', 'Fix the parser']);
    expect((await stop(SESSION)).answer?.decision).toBe('block');
    expect((await stop(SESSION)).answer?.decision).toBe('block');
    expect((await stop(SESSION)).answer?.systemMessage).toContain('all its 2 iterations');
    expect(await stop(SESSION)).toMatchObject({ exitCode: 0, stdout: '' });
  });
});

describe('a loop belongs to a session', () => {
  it('holds the session that started it and no other', async () => {
    await start(['loop', 'Fix the parser']);
    expect((await stop('session-2')).answer?.decision).toBeUndefined();
    expect((await stop(SESSION)).answer?.decision).toBe('block');
  });

  it.each(stores)('a state in the $name that came with a cloned repository holds nobody', async (store) => {
    store.put(project, {});
    const first = await stop(SESSION);
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain('adopt idle:');
    expect(await stop(SESSION)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(store.iteration(project)).toBe(0);
  });

  it.each(stores)('a loop in the $name goes on after adopt', async (store) => {
    store.put(project, { iter: 4 });
    const run = store.name === 'topic store' ? RUN : 'local-file';
    const adopted = await runCli(project.root, ['adopt', `idle:${run}`], asSession(SESSION));
    expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop(SESSION)).answer?.reason).toContain('[ITERATION 5/10]');
    expect(store.iteration(project)).toBe(5);
  });

  it('started in a plain terminal it holds the next session here', async () => {
    const started = await runCli(project.root, ['idle', 'loop', 'Fix the parser']);
    expect(started.stdout).toContain('the next session here');
    expect((await stop(SESSION)).answer?.decision).toBe('block');
    expect((await stop('session-2')).answer?.decision).toBeUndefined();
  });

  it('says only once in a session that it is stale', { tags: ['I-state-stuck.c'] }, async () => {
    await start(['loop', 'Fix the parser']);
    const { stack, run_id } = latest(project);
    postState(project, stack, { run_id, updated_at: '2020-01-01T00:00:00Z' });
    expect((await stop(SESSION)).answer?.systemMessage).toContain('more than two hours old');
    expect(await stop(SESSION)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project)).toMatchObject({ event: 'STATE', updated_at: '2020-01-01T00:00:00Z' });
  });

  it('spends nothing while the agent is in plan mode', async () => {
    await start(['loop', 'Fix the parser']);
    expect((await stop(SESSION, { permission_mode: 'plan' })).answer?.decision).toBeUndefined();
    expect(latest(project).stack[0]?.iter).toBe(0);
  });

  it('is forgotten by its session once another loop took its place', async () => {
    await start(['loop', 'First']);
    const { run_id: first } = latest(project);
    await start(['cancel']);
    await start(['loop', 'Second']);
    expect((await stop(SESSION)).answer?.reason).toContain('Second');
    expect(JSON.parse(project.read(`.holdfast/sessions/${SESSION}.json`)).runs).toEqual([
      `idle:${latest(project).run_id}`,
    ]);
    expect(first).not.toBe(latest(project).run_id);
  });

  it('is listed though its log cannot be read, and is no bar to the others', async () => {
    project.write('.jwz/messages.jsonl/file', '');
    const listed = await runCli(project.root, ['status', '--json']);
    expect(listed.exitCode).toBe(0);
    expect(JSON.parse(listed.stdout).runs).toMatchObject([
      { live: false, stage: 'its state cannot be read' },
    ]);
  });

  it('is served in a subfolder of the project too', async () => {
    await start(['loop', 'Fix the parser']);
    project.write('deep/down/file.txt', '');
    const fired = await stop(SESSION, { cwd: `${project.root}/deep/down` });
    expect(fired.answer?.decision).toBe('block');
  });
});

describe('beside another workflow that holds', () => {
  it('no iteration is spent, and a signal given there is honoured at the next step', async () => {
    await runCli(project.root, ['claudex', 'plan', 'A plan'], asSession(SESSION));
    await start(['loop', 'Fix the parser']);
    const other = await stop(SESSION, { last_assistant_message: '<loop-done>COMPLETE</loop-done>' });
    expect(other.answer?.decision).toBe('block');
    expect(other.answer?.reason).not.toContain('[ITERATION');
    expect(bodies(project)).toHaveLength(1);
    await runCli(project.root, ['claudex', 'cancel'], asSession(SESSION));
    expect((await stop(SESSION)).answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('a signal given there does not end a loop that was moved since', async () => {
    await runCli(project.root, ['claudex', 'plan', 'A plan'], asSession(SESSION));
    await start(['loop', 'Fix the parser']);
    await stop(SESSION, { last_assistant_message: '<loop-done>COMPLETE</loop-done>' });
    await runCli(project.root, ['claudex', 'cancel'], asSession(SESSION));
    await start(['loop', 'Something else first']);
    expect((await stop(SESSION)).answer?.reason).toContain('Something else first');
  });
});

describe('a topic log of 1 GB', () => {
  /** A gigabyte of nothing, then whatever is given. */
  function grow(then: string): void {
    const file = path.join(project.root, LOG);
    fs.truncateSync(file, 1024 ** 3);
    fs.appendFileSync(file, `\n${then}`);
  }

  it('makes no difference to a loop whose state stands at its end', async () => {
    await start(['loop', 'Fix the parser']);
    const line = project.read(LOG).trimEnd().split('\n').at(-1);
    grow(`${line}\n`);
    for (const n of [1, 2, 3]) expect((await stop(SESSION)).answer?.reason).toContain(`[ITERATION ${n}/10]`);
  });

  it('in which no state is found is let go with a notice', async () => {
    await start(['loop', 'Fix the parser']);
    grow('');
    const fired = await stop(SESSION);
    expect(fired.answer?.decision).toBeUndefined();
    expect(fired.answer?.systemMessage).toContain('too long to find');
  });
});

describe('a topic log of 5 MB', () => {
  it('is read from the remembered position on: a state that far back is found all the same', async () => {
    await start(['loop', 'Fix the parser']);
    expect((await stop(SESSION)).answer?.reason).toContain('[ITERATION 1/10]');
    const other = JSON.stringify({ type: 'message', topic_id: 'chat', body: 'x'.repeat(100_000) });
    fs.appendFileSync(path.join(project.root, LOG), `${other}\n`.repeat(50));
    expect((await stop(SESSION)).answer?.reason).toContain('[ITERATION 2/10]');
  });

  it('in which a stop cannot find the state is searched by idle resume, which posts it again', async () => {
    await start(['loop', 'Fix the parser']);
    const other = JSON.stringify({ type: 'message', topic_id: 'chat', body: 'x'.repeat(100_000) });
    fs.appendFileSync(path.join(project.root, LOG), `${other}\n`.repeat(50));
    fs.rmSync(path.join(project.root, '.holdfast', 'runs'), { recursive: true });
    expect((await fireHook(project.root, {})).answer?.systemMessage).toContain('idle resume');
    expect(await start(['resume'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop(SESSION)).answer?.reason).toContain('[ITERATION 1/10]');
  });
});

describe('a loop that no session started', () => {
  const posted = (run_id: unknown) => () =>
    postState(project, [{ id: 'f1', mode: 'loop', iter: 3, max: 10 }], { run_id });
  const clients = [
    { client: 'Claude Code', env: { CLAUDE_CODE_SESSION_ID: SESSION }, turn: { prompt_id: 'p1' } },
    {
      client: 'Codex',
      env: { CODEX_SESSION_ID: SESSION, CODEX_THREAD_ID: SESSION },
      turn: { turn_id: 't1', prompt_id: undefined },
    },
  ];

  describe.each(clients)('in a session of $client', ({ env, turn }) => {
    it.each([
      ['posted by jwz', posted(RUN)],
      ['posted by jwz without an id', posted(undefined)],
      ['posted by jwz with an id that is no plain name', posted("a 'strange' $(id) one")],
      ['posted by jwz with a number as its id', posted(17)],
      ['in a fallback file written by hand', () => stores[1].put(project, { iter: 3 })],
    ])(
      '%s is announced, and the very command of the notice makes it hold',
      { tags: ['I-source-1', 'I-source-2'] },
      async (_, put) => {
        put();
        const announced = await stop(SESSION, turn);
        expect(announced.answer?.decision).toBeUndefined();
        const command = /To go on with it: (.*)$/.exec(announced.answer?.systemMessage ?? '')?.[1] ?? '';
        expect(command).toContain(' adopt idle:');
        expect((await stop(SESSION, turn)).answer).toBeNull();
        const adopted = await run('/bin/sh', ['-c', command], project.root, { env });
        expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
        expect((await stop(SESSION, turn)).answer?.reason).toContain('[ITERATION 4/10]');
        expect((await stop('session-2', turn)).answer?.decision).toBeUndefined();
      },
    );
  });
});
