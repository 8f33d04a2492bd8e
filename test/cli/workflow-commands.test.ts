// `cancel` and `status` of a workflow that brings none of its own: they speak of its runs alone.

import { describe, expect, test } from 'vitest';
import { SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const ours = { env: { CLAUDE_CODE_SESSION_ID: SESSION } };

/** A run of each of two workflows. */
async function twoRuns(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a');
  await scene.start('b', { toy: 'toy2' });
  return scene;
}

describe('<workflow> cancel', () => {
  test('ends the one live run of the workflow, and no other', async () => {
    const scene = await twoRuns();
    expect(await scene.cli(['toy2', 'cancel'], ours)).toEqual({
      exitCode: 0,
      stdout: 'toy2:b is cancelled.\n',
      stderr: '',
    });
    expect(scene.state('b', 'toy2').phase).toBe('done');
    expect(scene.state('a').phase).toBe('working');
    expect((await scene.stop()).answer?.decision).toBe('block');
    expect((await scene.cli(['toy', 'cancel', 'toy:a'], ours)).exitCode).toBe(0);
    expect((await scene.stop()).answer?.decision).toBeUndefined();
  });

  test('knows no run of another workflow, and says when none is live', async () => {
    const scene = await twoRuns();
    for (const name of ['b', 'toy2:b'])
      expect(await scene.cli(['toy', 'cancel', name], ours)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`there is no run "${name}"`),
      });
    expect(scene.state('b', 'toy2').phase).toBe('working');
    await scene.cli(['toy', 'cancel', 'a'], ours);
    expect(await scene.cli(['toy', 'cancel'], ours)).toMatchObject({
      exitCode: 1,
      stderr: 'holdfast: no run of toy is live here, so there is nothing to cancel.\n',
    });
  });

  test('of several live runs asks for a name', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.start('c');
    expect(await scene.cli(['toy', 'cancel'], ours)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('several runs are live: toy:a, toy:c. Name one.'),
    });
  });

  test('is refused to a reviewer', async () => {
    const scene = await twoRuns();
    expect((await scene.cli(['toy', 'cancel'], { env: { HOLDFAST_DISABLE: '1' } })).exitCode).toBe(1);
    expect(scene.state('a').phase).toBe('working');
  });
});

describe('<workflow> status', () => {
  test('shows the runs of the workflow, and no other', async () => {
    const scene = await twoRuns();
    const { exitCode, stdout } = await scene.cli(['toy', 'status'], ours);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('toy:a  working');
    expect(stdout).not.toContain('toy2:b');
    const { runs } = JSON.parse((await scene.cli(['toy2', 'status', '--json'], ours)).stdout);
    expect(runs).toMatchObject([{ run: 'toy2:b', live: true, mine: true }]);
  });

  test('says when there is none, and counts the finished ones', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect((await scene.cli(['toy2', 'status'], ours)).stdout).toBe(
      'No runs of toy2 here. `holdfast toy2 help` lists how to start one.\n',
    );
    await scene.cli(['toy', 'cancel'], ours);
    expect((await scene.cli(['toy', 'status'], ours)).stdout).toMatch(/^1 .*`holdfast toy status --all`/);
  });
});
