// The disk of the user's state folder is full in the middle of a driven run: a file system of its own, as small as that.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Action, type Stage, stageWith } from '../driver/stage.ts';
import { plugin, run } from '../support/hook.ts';

let stage: Stage;
afterEach(() => stage.remove());

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };

it.each<[string, Action[]]>([
  ['in its last turn', []],
  ['before it has done anything', [WORK, WORK]],
])('a driven run whose state folder fills up %s ends rightly, and says so', async (_, script) => {
  const state = '.local/state/holdfast';
  const fill: Action = { do: 'run', line: `dd if=/dev/zero of="$HOME/${state}/fill" bs=512; true` };
  stage = await stageWith([fill, ...script, DONE]);
  const { root, home } = stage.project;
  fs.mkdirSync(path.join(home, state), { recursive: true, mode: 0o700 });
  const mounted = `mount -t tmpfs -o size=4m,mode=700 none "$HOME/${state}" && exec "$0" "$@"`;
  const command = [path.join(plugin, 'bin/holdfast'), 'run', 'idle', 'loop', '--max', '6', 'Do it all'];
  const words = ['--user', '--map-root-user', '--mount', '/bin/sh', '-c', mounted, ...command];
  const { exitCode, stdout, stderr } = await run('unshare', words, root, { env: stage.env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/outcome +completed\n/);
  expect(stdout).toContain('no space left on device');
  expect(exitCode).toBe(0);
  const journal = fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8');
  expect(journal).toContain('"what":"finished"');
});
