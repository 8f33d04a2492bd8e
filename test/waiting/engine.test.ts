// A run that waits, at the built hook: it is not held, nothing is counted, no signal is lost, and it goes on.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_WAITS, type Waiting } from '../../src/store/records.ts';
import { latest } from '../fixtures/idle/loops.ts';
import { COMPLETE, proofScene } from '../proof/scene.ts';
import { held } from '../support/held.ts';
import type { Fired } from '../support/hook.ts';
import { HOUR, looping, SESSION, type WaitingScene } from './scene.ts';

const SUBAGENT = 'stop-subagent-running-2.1.325';
const SHELL = 'stop-shell-running-2.1.325';
const SILENT = { exitCode: 0, stdout: '', stderr: '' };

async function expectReplayed({ cli }: WaitingScene): Promise<void> {
  const [replayed] = JSON.parse((await cli('replay', '--json', '1')).stdout);
  expect(replayed.outcome).toBe('same');
}

function expectHeld(scene: WaitingScene, fired: Fired, iteration: number): void {
  expect(fired.answer?.decision).toBe('block');
  expect(scene.iteration()).toBe(iteration);
}

describe.concurrent('work', () => {
  test('that wakes the agent is waited for, silently and uncounted', async () => {
    const scene = await looping();
    const before = scene.sidecar();
    expect(await scene.stop(SUBAGENT)).toMatchObject(SILENT);
    const { waiting, ...rest } = scene.sidecar();
    expect(waiting).toMatchObject({ for: 'work', until: (waiting?.since ?? 0) + 2 * HOUR });
    expect(rest).toEqual(before);
    expect(scene.iteration()).toBe(1);
    expect(scene.journal().at(-1)).toMatchObject({
      answer: 'allow',
      notice: false,
      guard: null,
      step: { kind: 'hold' },
      waiting: { step: 'hold', waiting: null, result: 'waits' },
    });
    await expectReplayed(scene);

    expect(await scene.stop(SUBAGENT)).toMatchObject(SILENT);
    expect(scene.sidecar().waiting?.since).toBe(waiting?.since);
    expectHeld(scene, await scene.stop(), 2);
    expect(scene.sidecar().waiting).toBeUndefined();
    expect(scene.journal().at(-1)).toMatchObject({
      waiting: { waiting: { for: 'work' }, result: 'goes-on' },
    });
    await expectReplayed(scene);
  });

  test('is not waited for longer than wait.work, and not again while it runs', async () => {
    const scene = await looping();
    await scene.stop(SUBAGENT);
    scene.change(({ waiting }) => ({
      waiting: { ...(waiting as Waiting), since: Date.now() - 2 * HOUR, until: Date.now() },
    }));
    expectHeld(scene, await scene.stop(SUBAGENT), 2);
    scene.transcript.calls('Bash');
    expectHeld(scene, await scene.stop(SUBAGENT), 3);
    await scene.stop();
    expect(await scene.stop(SUBAGENT)).toMatchObject(SILENT);
  });

  test('in a shell is not waited for: the hold names it, and how to ask comes last', async () => {
    const scene = await looping();
    const { answer } = await scene.stop(SHELL);
    expect(answer?.decision).toBe('block');
    const lines = answer?.reason?.split('\n') ?? [];
    expect(lines.at(-2)).toMatch(/^`sleep .*` still runs\. If you need its result: `.*holdfast wait`/);
    expect(lines.at(-1)).toBe(held('').trim());
    expect(lines.at(-3)).toBe('');
    expect(scene.sidecar().waiting).toBeUndefined();
  });

  test('does not keep a signal from being heard', async () => {
    const scene = await looping();
    await scene.stop(SUBAGENT, { last_assistant_message: COMPLETE });
    expect(latest(scene)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  test('comes before the checks of a claim, whose signal is kept for them', async () => {
    const scene = proofScene();
    await scene.start(['idle', 'loop', '--max', '9', 'Do it.']);
    scene.pin([scene.check('tests', 'exit 0')]);
    await scene.stop('One.');
    const running = {
      background_tasks: [{ id: 'a', type: 'subagent', status: 'running', description: 'd' }],
    };
    expect(await scene.stop(COMPLETE, running)).toMatchObject(SILENT);
    expect(scene.runs('tests')).toBe(0);
    expect(latest(scene).event).toBe('STATE');
    await scene.stop('The subagent is done.');
    expect(scene.runs('tests')).toBe(1);
    expect(latest(scene)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  test('makes the stop quiet for the other runs, and keeps their signals', async () => {
    const scene = await looping();
    expect(await scene.cli('claudex', 'plan', 'a topic')).toMatchObject({ exitCode: 0 });
    const fired = await scene.stop(SUBAGENT, { last_assistant_message: COMPLETE });
    expect(fired).toMatchObject(SILENT);
    const waits = [scene.sidecar('claudex').waiting?.for, scene.sidecar('idle').waiting?.for];
    expect(waits.filter((waiting) => waiting === 'work')).toHaveLength(1);
    expect(latest(scene).event).toBe('STATE');
    expect(await scene.cli('claudex', 'cancel')).toMatchObject({ exitCode: 0 });
    await scene.stop('stop-first', { last_assistant_message: 'Woken.' });
    expect(latest(scene)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });
});

describe.concurrent('a question', () => {
  test('is shown, waits through what wakes the agent, and goes on when a person answered', async () => {
    const scene = await looping();
    scene.ask('Which database?');
    const shown = await scene.stop();
    expect(shown.answer?.decision).toBeUndefined();
    expect(shown.answer?.systemMessage).toContain('Which database?');
    expect(scene.sidecar().waiting?.shown).toEqual({ marker: expect.any(String), turn: 'turn-0' });

    scene.prompt('task_notification');
    expect(await scene.stop()).toMatchObject(SILENT);
    expect(scene.iteration()).toBe(1);
    await expectReplayed(scene);

    scene.prompt('human');
    const fired = await scene.stop();
    expectHeld(scene, fired, 2);
    expect(fired.answer?.reason).toMatch(/^Your question \("Which database\?"\) was answered: .*\n\n/);
    expect(fired.answer?.reason).toContain('Fix the parser.');
    expect(scene.sidecar().waiting).toBeUndefined();
    const journal = fs.readFileSync(path.join(scene.root, '.holdfast/journal.jsonl'), 'utf8');
    expect(journal).not.toContain('database');
    await expectReplayed(scene);
    expect((await scene.stop()).answer?.reason).not.toContain('Your question');
  });

  test('ends no row of questions by being asked', async () => {
    const scene = await looping();
    scene.change(() => ({ waits: { ...NO_WAITS, questions: 2 } }));
    scene.ask('Which?', { shown: { marker: 'gone', turn: 'earlier' } });
    scene.transcript.calls('Bash');
    await scene.stop();
    expect(scene.sidecar().waits?.questions).toBe(2);
    scene.transcript.calls('Bash');
    await scene.stop();
    expect(scene.sidecar().waits?.questions).toBe(0);
  });
});

describe.concurrent('a limit', () => {
  test('of the session is over when the session stops again, and its time is counted', async () => {
    const scene = await looping();
    const since = Date.now() - HOUR;
    scene.change(() => ({ waiting: { for: 'limit', since, until: null, what: 'rate_limit' } }));
    expectHeld(scene, await scene.stop(), 2);
    const { waiting, waits } = scene.sidecar();
    // The hold moved the state: from then on the age of the loop is counted anew.
    expect([waiting, waits?.waited]).toEqual([undefined, 0]);
  });
});

describe.concurrent('calls of `holdfast wait`', () => {
  const calls = (scene: WaitingScene, called: number): void =>
    scene.change(({ waits = NO_WAITS }) => ({ waits: { ...waits, calls: waits.calls + 1, called } }));

  test('make the rows of holds stand still, until their time is used up', async () => {
    const scene = await looping();
    for (let turn = 2; turn < 12; turn++) {
      calls(scene, turn * 1000);
      expectHeld(scene, await scene.stop(), turn);
    }
    expect(scene.sidecar().guard[SESSION]?.noTools).toBe(1);
    await expectReplayed(scene);
    // Without another call, and with one that comes too late, the row goes on.
    await scene.stop();
    expect(scene.sidecar().guard[SESSION]?.noTools).toBe(2);
    calls(scene, 2 * HOUR + 1);
    await scene.stop();
    expect(scene.sidecar().guard[SESSION]?.noTools).toBe(3);
  });
});
