// Instructions instead of milliseconds, counted by valgrind where it is there: the same twice, whatever else the
// machine is doing. They leave out what the kernel does, so they say less and say it steadily.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { baselines, cases } from './cases.mjs';

/** { what: instructions of all its processes, the least of three counts }; null: valgrind is not here. */
export function countInstructions() {
  if (spawnSync('valgrind', ['--version']).error) return null;
  const made = Object.entries(cases).map(([name, each]) => [name, each.make()]);
  const counts = [...Object.entries(baselines), ...made].map(([name, each]) => [name, count(each)]);
  for (const [, { scene }] of made) scene.remove();
  return Object.fromEntries(counts);
}

function count(each) {
  const { command, args, cwd, env, input = '', before } = each;
  // Three times without being counted, so that the byte code is there.
  for (let round = 0; round < 3; round++) {
    before?.(round);
    spawnSync(command, args, { cwd, env, input, timeout: 30_000 });
  }
  return Math.min(...[3, 4, 5].map((round) => countOnce(each, round)));
}

function countOnce({ command, args, cwd, env, input = '', before }, round) {
  before?.(round);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-callgrind-'));
  const watched = ['--tool=callgrind', '--trace-children=yes', `--callgrind-out-file=${folder}/%p`, command];
  const options = { cwd, env, input, encoding: 'utf8', timeout: 120_000 };
  const { stderr } = spawnSync('valgrind', [...watched, ...args], options);
  fs.rmSync(folder, { recursive: true });
  return [...stderr.matchAll(/Collected : (\d+)/g)].reduce((sum, [, counted]) => sum + Number(counted), 0);
}
