// What a person has looked at, and puts out of sight: in a terminal of theirs.

import { expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { viewScene } from './scene.ts';

async function loop(...messages: string[]) {
  const scene = viewScene();
  await scene.done(['idle', 'loop', 'a task']);
  for (const message of messages) await scene.stop(message);
  return { scene, person: (...args: string[]) => runCli(scene.root, args) };
}

it('what ended badly is shown until its user has looked, and an agent’s look is not theirs', async () => {
  const { scene, person } = await loop('<loop-done>STUCK</loop-done>');
  expect((await scene.done(['status'])).stdout).toContain('Ended since you looked:\n✗ idle:');
  expect((await person('status')).stdout).toContain('Ended since you looked:\n✗ idle:');
  expect((await person('status')).stdout).not.toContain('✗');
});

it('a run that has ended is put out of sight', async () => {
  const { scene, person } = await loop('<loop-done>STUCK</loop-done>');
  expect(await person('dismiss', '--ended')).toMatchObject({ exitCode: 0, stderr: '' });
  const { stdout } = await person('status');
  expect(stdout).toBe('Nothing runs here; `holdfast status --all` lists what has ended.\n');
  expect((await person('status', '--all')).stdout).toContain('dismissed');
  expect((await scene.view()).model().projects[0]?.runs).toMatchObject([{ dismissed: true, unseen: false }]);
});

it('one that goes on is to be cancelled first', async () => {
  const { person } = await loop();
  const refused = await person('dismiss', 'idle');
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('`holdfast cancel idle:') });
  expect(await person('dismiss')).toMatchObject({ exitCode: 2 });
  expect((await person('dismiss', '--ended')).stdout).toContain('still in sight');
});
