// The run's first stop writes down what its checks are; the config may say what it likes afterwards.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, DEFAULT_CONFIG } from '../../src/config/config.ts';
import type { StopContext } from '../../src/engine/context.ts';
import { pinPlace } from '../../src/engine/proof/pin-place.ts';
import type { Check } from '../../src/engine/proof/types.ts';
import { serveRuns } from '../../src/engine/stop/serve-runs.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { homeOf } from '../../src/store/home.ts';
import { workflow } from '../../src/workflows/idle/index.ts';
import { COMPLETE, proofScene, type Scene, SESSION } from './scene.ts';

async function loop(): Promise<Scene> {
  const scene = proofScene();
  await scene.start(['idle', 'loop', '--max', '9', 'a task']);
  return scene;
}

/** A stop in this process, with a config of the test's own. */
async function stop(scene: Scene, message: string, config: Partial<Config>) {
  const { root, home } = scene;
  const env = { HOME: home, PATH: process.env.PATH ?? '' };
  const now = Date.now();
  const context: StopContext = {
    stop: {
      ...{ client: 'claude-code', session: SESSION, turn: null, cwd: root, transcriptPath: null },
      ...{ lastMessage: message, planMode: false, backgroundTasks: [], limitS: 600 },
    },
    project: {
      root,
      home: homeOf(root),
      env,
      now,
      cli: 'holdfast',
      config: { ...DEFAULT_CONFIG, ...config },
    },
    runtime: { ...runtimeHere(env), whenAskedToEnd: () => {} },
    decidedOn: new Map(),
  };
  const run = scene.run().replace('idle:', '');
  const { last } = await serveRuns([{ workflow, run }], context);
  return last?.answer;
}

const pinOf = (scene: Scene) => {
  const file = path.join(scene.home, '.local/state/holdfast', pinPlace(scene.root, scene.run()));
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
};

/** As the project's file has it. */
function inProject(check: Check): Partial<Config> {
  const { name, run } = check;
  return { checks: [{ ...check, from: 'project' }], project: { checks: { [name]: { run } } } as never };
}

describe('the first stop of a run', () => {
  it('pins the checks of the project, and what the config says later changes nothing', async () => {
    const scene = await loop();
    await stop(scene, 'Working.', inProject(scene.check('test', 'true')));

    expect(pinOf(scene)).toMatchObject({ run: scene.run(), checks: [{ name: 'test' }], untrusted: ['test'] });
    expect(scene.sidecar().proof).toMatchObject({ pinned: true });
    const answer = await stop(scene, COMPLETE, { checks: [] });
    expect(answer?.notice).toContain('unproven');
    // Nobody trusts it, so it did not run.
    expect(scene.runs('test')).toBe(0);
  });

  it('pins once: a check that comes later is none of this run', async () => {
    const scene = await loop();
    await stop(scene, 'Working.', inProject(scene.check('first', 'true')));
    const pinned = pinOf(scene);

    const notes = { ...scene.sidecar().proof, pinned: false };
    const file = path.join(scene.root, '.holdfast/runs', `${scene.run().replace(':', '-')}.json`);
    fs.writeFileSync(file, JSON.stringify({ ...scene.sidecar(), proof: notes }));
    await stop(scene, 'Working.', inProject(scene.check('second', 'true')));

    expect(pinOf(scene)).toEqual(pinned);
    expect(scene.sidecar().proof).toMatchObject({ pinned: true });
  });

  it('that is the claim pins and checks in one', async () => {
    const scene = await loop();
    const check = scene.check('test', 'false');
    const file = path.join(scene.root, '.holdfast/runs', `${scene.run().replace(':', '-')}.json`);
    const asked = { checks: ['test'], off: false };
    const proof = {
      ...{ asked, definitions: '', content: null, pinned: false },
      ...{ refusals: 0, cannotRunSaid: false, protectedSaid: false },
    };
    fs.writeFileSync(file, JSON.stringify({ ...scene.sidecar(), proof }));

    const answer = await stop(scene, COMPLETE, { checks: [check] });

    expect(answer).toMatchObject({ kind: 'hold', reason: expect.stringContaining('test: exit code 1') });
    expect(scene.runs('test')).toBe(1);
    expect(scene.sidecar().proof).toMatchObject({ pinned: true, refusals: 1, asked });
  });

  it('leaves nothing where there is nothing to pin', async () => {
    const scene = await loop();
    fs.mkdirSync(path.join(scene.home, '.local/state/holdfast/trust'), { recursive: true, mode: 0o700 });

    await stop(scene, 'Working.', {});

    expect(pinOf(scene)).toBeNull();
    expect(scene.sidecar()).not.toHaveProperty('proof');
  });

  it('does not wait for a second: a check that comes after it is none of this run', async () => {
    const scene = await loop();
    await stop(scene, 'Working.', {});

    await stop(scene, 'Working.', inProject(scene.check('test', 'true')));

    expect(pinOf(scene)).toBeNull();
  });
});
