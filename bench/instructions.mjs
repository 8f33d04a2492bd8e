// Instructions instead of milliseconds, where the machine can count them: repeatable whatever else runs.
// valgrind counts the shell's part; node under it takes minutes, so there perf must do.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeIdle } from './cases.mjs';
import { makeScene } from './scene.mjs';

export function countInstructions() {
  const scene = makeScene();
  const idle = makeIdle();
  const counted = {
    'sh -c :': callgrind(['/bin/sh', '-c', ':'], scene),
    'no run in the project': callgrind(['/bin/sh', ...scene.stop().args], scene),
    'node -e 0': perf([process.execPath, '-e', '0'], { ...idle, input: '' }),
    'idle: an iteration held': perf([idle.command, ...idle.args], idle),
  };
  scene.remove();
  idle.scene.remove();
  return Object.fromEntries(
    Object.entries(counted).map(([name, count]) => [name, count ?? 'cannot be counted here']),
  );
}

/** The launcher is a process of its own below `sh -c`, so all of them are counted. */
function callgrind(command, { root, env }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-callgrind-'));
  const args = ['--tool=callgrind', '--trace-children=yes', `--callgrind-out-file=${folder}/%p`, ...command];
  const result = spawnSync('valgrind', args, {
    cwd: root,
    env,
    input: '{}',
    encoding: 'utf8',
    timeout: 60_000,
  });
  fs.rmSync(folder, { recursive: true });
  const counts = [...(result.stderr ?? '').matchAll(/Collected : (\d+)/g)].map((match) => Number(match[1]));
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function perf(command, { cwd, env, input, before }) {
  before?.(0);
  const args = ['stat', '-x', ',', '-e', 'instructions:u', ...command];
  const result = spawnSync('perf', args, { cwd, env, input, encoding: 'utf8', timeout: 60_000 });
  return numberIn(/^(\d+),,instructions/m.exec(result.stderr ?? ''));
}

function numberIn(match) {
  return match === null ? null : Number(match[1]);
}
