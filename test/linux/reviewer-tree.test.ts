// What only Linux can show of a reviewer's end: a child that left the process group, its parent or our mark is found
// and ended all the same, however the review ends.

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { familyOf as membersOf } from '../../src/processes/end.ts';
import { attemptOf, eventually, familyOf, isRunning, reviewStarted, toyScene } from '../toy/scene.ts';

const KINDS = ['setsid', 'setsid-orphan', 'setsid-deaf', 'bare', 'bare-orphan'];

const reviewing = async () => {
  const scene = toyScene();
  await scene.start('a', { phase: 'reviewing' });
  return scene;
};

const behaving = (behaviour: string, child: string) => ({
  env: { TOY_REVIEWER: behaviour, TOY_CHILD: child },
});

describe.concurrent.each(KINDS)('a child that a reviewer put into a session of its own (%s)', (kind) => {
  test('is ended with it when the hook is told to end', async () => {
    const scene = await reviewing();
    const hook = scene.beginStop(behaving('parent', kind));
    await reviewStarted(scene);
    hook.process.kill('SIGTERM');
    expect((await hook.ended).exitCode).toBe(0);
    expect(familyOf(scene)).toHaveLength(2);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
    expect(attemptOf(scene, 'a').status).toBe('interrupted');
  });

  test('is ended with it at the deadline', async () => {
    const scene = await reviewing();
    scene.write('holdfast.config.json', '{"review":{"timeout":8}}');
    await scene.stop(behaving('parent', kind));
    expect(familyOf(scene)).toHaveLength(2);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
  });

  test('is ended with it when the hook is killed', async () => {
    const scene = await reviewing();
    const hook = scene.beginStop(behaving('parent', kind));
    await reviewStarted(scene);
    hook.process.kill('SIGKILL');
    await hook.ended;
    expect(familyOf(scene)).toHaveLength(2);
    await eventually('all of them ended', () => familyOf(scene).filter(isRunning).length === 0);
    await scene.stop(behaving('pass', kind));
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
  });
});

// Not `bare`: without mark, parent and output it is known only when it was seen before its parent ended (end.test.ts).
test.concurrent.each(KINDS.filter((kind) => kind !== 'bare'))(
  'a child in a session of its own (%s) is ended when the reviewer has ended by itself, and the verdict counts',
  async (kind) => {
    const scene = await reviewing();
    const { answer } = await scene.stop(behaving('littering', kind));
    expect(answer?.systemMessage).toContain('clean');
    expect(familyOf(scene)).toHaveLength(1);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
  },
);

test('the next stop ends what nobody was left to end, before it reviews again', async () => {
  const scene = await reviewing();
  const hook = scene.beginStop(behaving('parent', 'setsid'));
  await reviewStarted(scene);
  const watcher = watcherOf(hook.process.pid ?? 0);
  process.kill(watcher, 'SIGKILL');
  hook.process.kill('SIGKILL');
  await hook.ended;
  expect(familyOf(scene).filter(isRunning)).toHaveLength(2);
  await scene.stop(behaving('pass', 'setsid'));
  expect(familyOf(scene).filter(isRunning)).toEqual([]);
  expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
});

test('a family without its leader has those with the mark of its attempt, and nobody else', async () => {
  const scene = await reviewing();
  const hook = scene.beginStop(behaving('parent', 'setsid'));
  await reviewStarted(scene);
  const { id } = attemptOf(scene, 'a');
  const members = membersOf(id, null).look();
  expect(members.map(({ pid }) => pid)).toEqual(expect.arrayContaining(familyOf(scene)));
  expect(members.map(({ pid }) => pid)).not.toContain(hook.process.pid);
  expect(membersOf(id.slice(1), null).look()).toEqual([]);
  hook.process.kill('SIGTERM');
  await hook.ended;
  expect(membersOf(id, null).look()).toEqual([]);
});

function watcherOf(hook: number): number {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const line = table
    .split('\n')
    .find((each) => each.includes('holdfast-watcher') && each.includes(` ${hook} `));
  const [pid] = line?.trim().split(/\s+/) ?? [];
  if (pid === undefined) throw new Error('the hook has no watcher');
  return Number(pid);
}
