// Where the project of a stop is: sub-folders, links, worktrees, the folder the client was started in, HOME.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { SESSION, type Stopping, type ToyScene, toyScene } from '../toy/scene.ts';

const isHeld = async (scene: ToyScene, stopping: Stopping): Promise<boolean> =>
  (await scene.stop(stopping)).answer?.decision === 'block';

function folder(...parts: string[]): string {
  const made = path.join(...parts);
  fs.mkdirSync(made, { recursive: true });
  return made;
}

describe.concurrent('the run of a project', () => {
  test('is found from a sub-folder', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect(await isHeld(scene, { cwd: folder(scene.root, 'deep/er') })).toBe(true);
    expect(fs.readdirSync(path.join(scene.root, 'deep/er'))).toEqual([]);
  });

  test('is found through a link to the project', async () => {
    const scene = toyScene();
    await scene.start('a');
    const link = path.join(path.dirname(scene.root), 'link');
    fs.symlinkSync(scene.root, link);
    expect(await isHeld(scene, { cwd: link })).toBe(true);
    expect(await isHeld(scene, { cwd: link, env: { PWD: link } })).toBe(true);
  });

  test('is found from CLAUDE_PROJECT_DIR when the agent went elsewhere', async () => {
    const scene = toyScene();
    await scene.start('a');
    const elsewhere = folder(path.dirname(scene.root), 'elsewhere');
    expect(await isHeld(scene, { cwd: elsewhere })).toBe(false);
    expect(await isHeld(scene, { cwd: elsewhere, env: { CLAUDE_PROJECT_DIR: scene.root } })).toBe(true);
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  test('is found from CLAUDE_PROJECT_DIR when the folder of the hook was deleted', async () => {
    const scene = toyScene();
    await scene.start('a');
    const gone = folder(path.dirname(scene.root), 'gone');
    const script = 'rmdir "$1" && exec "$0"';
    const ran = await run('/bin/sh', ['-c', script, path.join(toyPlugin, 'hooks/stop'), gone], gone, {
      env: { ...scene.env, CLAUDE_PROJECT_DIR: scene.root },
      stdin: JSON.stringify({ session_id: SESSION, prompt_id: 'p' }),
    });
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout).decision).toBe('block');
  });

  test('is not lost when the agent goes into a folder with runs of its own', async () => {
    const scene = toyScene();
    await scene.start('a');
    const inner = folder(scene.root, 'inner');
    scene.write('inner/.toy/b.json', '{"phase":"working","left":5,"reviews":0}');
    expect(await isHeld(scene, { cwd: inner })).toBe(true);
    expect(scene.state('a').left).toBe(99);
  });

  test('is not that of a worktree, which is a project of its own', async () => {
    const scene = toyScene();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', scene.root, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    const tree = path.join(path.dirname(scene.root), 'tree');
    git('worktree', 'add', '--quiet', tree);
    await scene.start('a');
    expect(await isHeld(scene, { cwd: tree })).toBe(false);
    await scene.start('b', { cwd: tree });
    expect(await isHeld(scene, { cwd: tree })).toBe(true);
    expect(fs.existsSync(path.join(tree, '.toy/b.json'))).toBe(true);
    expect(scene.state('a').left).toBe(100);
  });
});

describe.concurrent('HOME', () => {
  const working = '{"phase":"working","left":5,"reviews":0}';

  async function runIn(scene: ToyScene, place: string): Promise<void> {
    fs.mkdirSync(path.join(place, '.toy'), { recursive: true });
    fs.writeFileSync(path.join(place, '.toy/a.json'), working);
    await scene.cli(['adopt', 'toy:a'], { cwd: place, env: { CLAUDE_CODE_SESSION_ID: SESSION } });
  }

  test('belongs to no project below it', async () => {
    const scene = toyScene();
    await runIn(scene, scene.home);
    expect(await isHeld(scene, { cwd: folder(scene.home, 'notes') })).toBe(false);
  });

  test('is compared by its real path', async () => {
    const scene = toyScene();
    await runIn(scene, scene.home);
    const link = path.join(path.dirname(scene.home), 'link-home');
    fs.symlinkSync(scene.home, link);
    const below = folder(scene.home, 'notes');
    expect(await isHeld(scene, { cwd: below, env: { HOME: link } })).toBe(false);
  });
});
