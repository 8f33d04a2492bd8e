// A client that runs the plugin live from its folder (Claude Code) while that folder is built again, as another version:
// stops before, meanwhile and afterwards are answered all the same.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { fireHook } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { reviewStarted, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const repository = path.resolve(import.meta.dirname, '../..');

/** The toys' build once more, in a folder of the scene. */
async function build(scene: ToyScene, version: string): Promise<string> {
  const out = path.join(path.dirname(scene.root), 'market');
  const toys = ['--registry', 'test/toy/registry.ts', '--reviewers', 'test/toy/reviewers.ts'];
  const args = ['scripts/build.mjs', '--out', out, '--version', version, ...toys];
  await promisify(execFile)(process.execPath, args, { cwd: repository, timeout: 240_000 });
  return path.join(out, 'holdfast');
}

function stop(scene: ToyScene, plugin: string, env: Record<string, string> = {}) {
  const payload = { session_id: SESSION, cwd: scene.root, prompt_id: 'p', hook_event_name: 'Stop' };
  return fireHook(scene.root, payload, { plugin, env: { ...scene.env, ...env } });
}

test('a run that an older version began is held by it while a newer one is built, and then by that', async () => {
  const scene = toyScene();
  const plugin = await build(scene, '0.9.0');
  await scene.start('a');
  expect((await stop(scene, plugin)).answer?.decision).toBe('block');
  const market = path.dirname(plugin);
  const building = build(scene, '0.10.0');
  const isUnderWay = () => fs.readdirSync(path.dirname(market)).some((name) => name.endsWith('.new'));
  await vi.waitFor(() => expect(isUnderWay()).toBe(true), { timeout: 240_000, interval: 5 });
  expect((await stop(scene, plugin)).answer?.decision).toBe('block');
  expect(await building).toBe(plugin);
  expect((await stop(scene, plugin)).answer?.decision).toBe('block');
});

test('a review that was under way when the folder was built again keeps its verdict', async () => {
  const scene = toyScene();
  const plugin = await build(scene, '0.9.0');
  await scene.start('a', { phase: 'reviewing' });
  const reviewed = stop(scene, plugin, { TOY_REVIEWER: 'patient' });
  await reviewStarted(scene);
  await build(scene, '0.10.0');
  fs.writeFileSync(path.join(scene.notes, 'finish'), '');
  const undisturbed = toyScene();
  await undisturbed.start('a', { phase: 'reviewing' });
  const expected = await stop(undisturbed, toyPlugin, { TOY_REVIEWER: 'pass' });
  expect(await reviewed).toMatchObject({
    exitCode: 0,
    stderr: '',
    answer: expected.answer,
  });
  expect(scene.state('a')).toEqual(undisturbed.state('a'));
  expect(scene.reviews()).toBe(1);
});
