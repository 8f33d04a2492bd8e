// The views' libraries are not in the plugin: where a client copied it, the commands say how to get them.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { plugin, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => temp.remove());

test.each(['web', 'watch'])('`holdfast %s` in a copy of the plugin alone', async (command) => {
  const copy = path.join(path.dirname(temp.root), 'cache', 'holdfast');
  fs.cpSync(plugin, copy, { recursive: true });
  const { exitCode, stdout, stderr } = await runCli(temp.root, [command], { plugin: copy });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^holdfast: the views are not part of the plugin .*\n$/);
  expect(stderr).toContain(`\`npx holdfast ${command}\``);
});

it('no file of the plugin has one of their libraries in it', () => {
  const folder = path.join(plugin, 'lib');
  const texts = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  expect(texts.length).toBeGreaterThan(5);
  for (const mark of ['trusted-types dompurify', 'DOMPurify', 'preact', 'react.transitional.element', 'yoga'])
    expect(texts.filter((text) => text.includes(mark))).toEqual([]);
});
