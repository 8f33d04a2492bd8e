// A project at `/`, as in a container that works in its own root: the walk up ends there and looks there too.

import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

/** A root of its own: the system's folders and the plugin bound into it, the scene's project being the root itself. */
const NEW_ROOT = `
  set -e
  root=$1 plugin=$2 node=$3 cwd=$4
  for folder in usr bin lib lib64 etc dev; do
    [ -e "/$folder" ] || continue
    mkdir -p "$root/$folder"
    mount --rbind "/$folder" "$root/$folder"
  done
  mkdir -p "$root/plugin" "$root/$cwd"
  mount --bind "$plugin" "$root/plugin"
  : >"$root/node"
  mount --bind "$node" "$root/node"
  exec chroot "$root" /bin/sh -c 'cd "$0" && exec /plugin/hooks/stop' "$cwd"
`;

function stopAtRoot(scene: ToyScene, cwd: string, node = process.execPath) {
  const args = ['-rm', 'sh', '-c', NEW_ROOT, 'sh', scene.root, toyPlugin, node, cwd];
  return run('unshare', args, scene.root, {
    env: { ...scene.env, HOME: '/home-of-nobody', HOLDFAST_NODE: '/node' },
    stdin: JSON.stringify({ session_id: SESSION, cwd, prompt_id: 'p', hook_event_name: 'Stop' }),
  });
}

test.each(['/', '/some/folder'])('a run of a project at the root holds a stop in %s', async (cwd) => {
  const scene = toyScene();
  await scene.start('a');
  fs.rmSync(path.join(scene.root, '.git'), { recursive: true });
  const ran = await stopAtRoot(scene, cwd);
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ decision: 'block' });
});

test('without a run at the root a stop there is left alone', async () => {
  const scene = toyScene();
  fs.rmSync(path.join(scene.root, '.git'), { recursive: true });
  expect(await stopAtRoot(scene, '/some/folder')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});
