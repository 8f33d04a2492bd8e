// What only Linux can show of a reviewer's end: a child that left the process group is found and ended all the same.

import { describe, expect, test } from 'vitest';
import { attemptOf, eventually, familyOf, isRunning, reviewStarted, toyScene } from '../toy/scene.ts';

const runaway = { env: { TOY_REVIEWER: 'runaway' } };

describe.concurrent('a child that a reviewer put into a session of its own', () => {
  test('is ended with it when the hook is told to end', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const hook = scene.beginStop(runaway);
    await reviewStarted(scene);
    hook.process.kill('SIGTERM');
    expect((await hook.ended).exitCode).toBe(0);
    expect(familyOf(scene)).toHaveLength(2);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
    expect(attemptOf(scene, 'a').status).toBe('interrupted');
  });

  test('is ended with it at the deadline', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    scene.write('holdfast.config.json', '{"review":{"timeout":1}}');
    await scene.stop(runaway);
    expect(familyOf(scene)).toHaveLength(2);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
  });

  test('outlives a hook that was killed, and is ended by the next stop before it reviews again', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const hook = scene.beginStop(runaway);
    await reviewStarted(scene);
    const [child = 0, reviewer = 0] = familyOf(scene);
    hook.process.kill('SIGKILL');
    await hook.ended;
    await eventually('the reviewer itself ended', () => !isRunning(reviewer));
    expect(isRunning(child)).toBe(true);
    await scene.stop({ env: { TOY_REVIEWER: 'pass' } });
    expect(isRunning(child)).toBe(false);
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
  });
});
