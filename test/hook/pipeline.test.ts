// A stop from end to end, through the real hook: no run, hold, allow, look, notices, several runs, the quiet cases.

import { describe, expect, test } from 'vitest';
import { heldByToy } from '../toy/plugin.ts';
import { filesIn, SESSION, toyScene } from '../toy/scene.ts';

const background = (command: string, status = 'running') => ({
  background_tasks: [{ id: 'b1', type: 'shell', status, description: 'the runner', command }],
});

describe.concurrent('without a run', () => {
  test('a stop prints nothing, exits 0 and creates no file', async () => {
    const scene = toyScene();
    const before = filesIn(scene.home);
    const fired = await scene.stop();
    expect(fired).toEqual({ exitCode: 0, stdout: '', stderr: '', answer: null });
    expect(filesIn(scene.root)).toEqual({});
    expect(filesIn(scene.home)).toEqual(before);
  });
});

describe.concurrent('a run of the session', () => {
  test('holds the stop with the next instruction, and its step is written down', async () => {
    const scene = toyScene();
    await scene.start('a', { left: 5 });
    const fired = await scene.stop();
    expect(fired.exitCode).toBe(0);
    expect(fired.answer).toEqual({ decision: 'block', reason: heldByToy('go-on {"left":4} a secret note') });
    expect(scene.state('a')).toMatchObject({ phase: 'working', left: 4 });
    expect(scene.journal()).toMatchObject([{ session: SESSION, workflow: 'toy', run: 'a', answer: 'hold' }]);
  });

  test('looks for a costly fact once and lets go when the agent says it is finished', async () => {
    const scene = toyScene();
    await scene.start('a');
    const fired = await scene.stop({ payload: { last_assistant_message: 'It is FINISHED.' } });
    expect(fired.answer).toEqual({ systemMessage: 'finished {} a secret note' });
    expect(scene.state('a').phase).toBe('done');
    expect(scene.journal()).toMatchObject([{ answer: 'allow', facts: { finished: 'yes' } }]);
  });

  test('that is over is forgotten by the session, and later stops are silent', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'done' });
    const index = () => JSON.parse(scene.read(`.holdfast/sessions/${SESSION}.json`));
    expect(index().runs).toEqual(['toy:a']);
    expect((await scene.stop()).stdout).toBe('');
    expect(index().runs).toEqual([]);
    expect((await scene.stop()).stdout).toBe('');
    expect(scene.journal()).toHaveLength(1);
  });

  test('gives the same notice once, and again after a change', async () => {
    const scene = toyScene();
    await scene.start('a', { left: 0 });
    expect((await scene.stop()).answer).toEqual({ systemMessage: 'exhausted {} a secret note' });
    expect((await scene.stop()).stdout).toBe('');
    expect((await scene.stop()).stdout).toBe('');
    scene.setState('a', { left: 0, reviews: 1 });
    expect((await scene.stop()).answer).toEqual({ systemMessage: 'exhausted {} a secret note' });
  });

  test('of a workflow that is switched off is passed over', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect((await scene.stop({ env: { TOY_DISABLE: '1' } })).stdout).toBe('');
    expect((await scene.stop()).answer?.decision).toBe('block');
  });
});

describe.concurrent('with several runs', () => {
  test('the first in the order of precedence holds, and the others are not stepped', async () => {
    const scene = toyScene();
    await scene.start('late', { toy: 'toy2' });
    await scene.start('early');
    expect((await scene.stop()).answer?.reason).toBe(heldByToy('go-on {"left":99} a secret note'));
    expect(scene.state('early').left).toBe(99);
    expect(scene.state('late', 'toy2').left).toBe(100);
    expect(scene.journal()).toMatchObject([{ workflow: 'toy', run: 'early' }]);
  });

  test('the next one answers when the first lets go', async () => {
    const scene = toyScene();
    await scene.start('early', { left: 0 });
    await scene.start('late', { toy: 'toy2' });
    const { answer } = await scene.stop();
    expect(answer).toEqual({
      decision: 'block',
      reason: heldByToy('go-on {"left":99} a secret note'),
      systemMessage: 'exhausted {} a secret note',
    });
    expect(scene.journal()).toMatchObject([
      { workflow: 'toy', answer: 'allow' },
      { workflow: 'toy2', answer: 'hold' },
    ]);
  });

  test('a signal for a later run is kept while an earlier one holds, and honoured at its next step', async () => {
    const scene = toyScene();
    await scene.start('early', { left: 1 });
    await scene.start('late', { toy: 'toy2' });
    const heard = await scene.stop({ payload: { last_assistant_message: 'FINISHED2' } });
    expect(heard.answer?.decision).toBe('block');
    expect(scene.state('late', 'toy2').phase).toBe('working');
    expect(scene.sidecar('late', 'toy2').saved).toBe('kept');
    const next = await scene.stop({ payload: { last_assistant_message: 'nothing more to say' } });
    expect(next.answer?.decision).toBeUndefined();
    expect(scene.state('late', 'toy2').phase).toBe('done');
  });

  test('one that cannot be served is let go with a notice, and the next is still served', async () => {
    const scene = toyScene();
    await scene.start('broken');
    await scene.start('whole', { toy: 'toy2' });
    scene.write('.toy/broken.json', 'not JSON');
    const { answer } = await scene.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.systemMessage).toContain('broken.json is not readable');
    expect((await scene.stop()).answer?.systemMessage).toBeUndefined();
    expect(scene.journal()[0]).toMatchObject({ workflow: 'toy', run: 'broken', answer: 'allow' });
    expect(scene.journal()[0]?.error).toContain('not readable');
  });
});

describe.concurrent('quietly', () => {
  test('a quiet allow ends the stop for all runs, uncounted and unsaid', async () => {
    const scene = toyScene();
    await scene.start('early');
    await scene.start('late', { toy: 'toy2' });
    const fired = await scene.stop({ payload: background('toy-runner') });
    expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(scene.state('late', 'toy2').left).toBe(100);
    expect(scene.sidecar('early').guard).toEqual({});
    expect((await scene.stop({ payload: background('toy-runner', 'completed') })).answer?.decision).toBe(
      'block',
    );
  });

  test('a stop in plan mode is allowed and uncounted, and the user is told once', async () => {
    const scene = toyScene();
    await scene.start('a');
    const inPlanMode = () => scene.stop({ payload: { permission_mode: 'plan' } });
    const { answer } = await inPlanMode();
    expect(answer).toEqual({ systemMessage: expect.stringContaining('toy:a does not hold in plan mode') });
    const before = filesIn(scene.root);
    expect(await inPlanMode()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(filesIn(scene.root)).toEqual(before);
  });
});
