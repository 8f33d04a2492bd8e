// A project on a disk that is mounted read-only: the stop is allowed, one line says why, nothing is changed.

import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, toyScene } from '../toy/scene.ts';

test('a run on a read-only disk is let go with one line', async () => {
  const scene = toyScene();
  await scene.start('a');
  const before = filesIn(scene.root);
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && exec "$0"';
  const hook = path.join(toyPlugin, 'hooks/stop');
  const ran = await run('unshare', ['-rm', 'sh', '-c', script, hook, scene.root], scene.root, {
    env: scene.env,
    stdin: JSON.stringify({ session_id: SESSION, prompt_id: 'p' }),
  });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  const answer = JSON.parse(ran.stdout);
  expect(Object.keys(answer)).toEqual(['systemMessage']);
  expect(answer.systemMessage).toMatch(/^Holdfast: hit an error, so this stop was allowed: [^\n]+$/);
  expect(filesIn(scene.root)).toEqual(before);
});
