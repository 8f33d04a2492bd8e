// How large the bundle is, what each situation loads of it, and how many characters every message costs.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cases } from './cases.mjs';

const root = path.resolve(import.meta.dirname, '..');

export function bundleSizes() {
  const folder = path.join(root, 'dist', 'holdfast', 'lib');
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  return Object.fromEntries(
    files.map((name) => [name, { bytes: fs.statSync(path.join(folder, name)).size }]),
  );
}

/** { situation: names of our files and of node's costly modules that it loaded } */
export function loadedFiles() {
  const probe = path.join(import.meta.dirname, 'loaded-files.cjs');
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')), 'loaded');
  const lists = Object.entries(cases)
    .filter(([, each]) => each.against === 'node')
    .map(([name, each]) => {
      const { scene, before, command, args, cwd, env, input } = each.make();
      before?.(0);
      const probed = {
        ...env,
        NODE_OPTIONS: `--require ${JSON.stringify(probe)}`,
        HOLDFAST_BENCH_LOADED: report,
      };
      spawnSync(command, args, { cwd, env: probed, input, timeout: 30_000 });
      scene.remove();
      const { own, builtin } = JSON.parse(fs.readFileSync(report, 'utf8'));
      return [
        name,
        [...own.map((file) => path.basename(file)), ...builtin.map((module) => `node:${module}`)],
      ];
    });
  fs.rmSync(path.dirname(report), { recursive: true });
  return Object.fromEntries(lists);
}

/**
 * Words cost money: every message and prompt file, in characters before its slots are filled, and the texts that
 * a reviewer of taskie is told to read with its prompt.
 */
export function messageSizes() {
  const workflows = path.join(root, 'src', 'workflows');
  return { ...sizesOf(workflows, '.'), ...sizesOf(path.join(root, 'dist', 'holdfast'), 'taskie') };
}

function sizesOf(base, folder) {
  const files = fs.readdirSync(path.join(base, folder), { recursive: true });
  const texts = files.filter((file) => file.endsWith('.md')).map((file) => path.join(folder, file));
  return Object.fromEntries(
    texts.map((file) => [file, { characters: fs.readFileSync(path.join(base, file), 'utf8').length }]),
  );
}
