// On a terminal, which `script` makes us: colours are used there, and never with NO_COLOR.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { toyScene } from '../toy/scene.ts';

describe.concurrent('colours', () => {
  test.each([
    ['are used', {}, true],
    ['are not used with NO_COLOR', { NO_COLOR: '1' }, false],
  ])('on a terminal %s', async (_, env, coloured) => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop();
    for (const command of ['status', 'log', 'doctor']) {
      const line = `'${path.join(toyPlugin, 'bin/holdfast')}' ${command}`;
      const { stdout } = await run('script', ['-qec', line, '/dev/null'], scene.root, {
        env: { ...scene.env, ...env },
      });
      expect(stdout).toContain(command === 'doctor' ? 'node' : 'toy:a');
      expect(stdout.includes('\u001b[')).toBe(coloured);
    }
  });
});
