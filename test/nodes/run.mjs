#!/usr/bin/env node
// `npm run test:nodes`: what a user's node runs, under the newer versions. The launcher's suite in processes of their own;
// hook and conformance as built, and a smoke of the rest, inside a test process of that version, after the real launcher
// (test/support/inside.ts). --all has these in processes of their own, and all commands, which takes several times as long.
//   node test/nodes/run.mjs [--all] [22|24|VERSION …]

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installNodes } from './nodes.mjs';

const LAUNCHER = ['test/launcher'];
const BUILT = ['test/hook', 'test/conformance', 'test/cli/usage'];
const ALL_BUILT = ['test/hook', 'test/conformance', 'test/cli'];

const repository = path.resolve(import.meta.dirname, '../..');
process.chdir(repository);
const { values: options, positionals: asked } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const nodes = installNodes().filter(
  ({ version }) =>
    asked.length === 0 || asked.some((name) => version === name || version.startsWith(`${name}.`)),
);
if (nodes.length === 0) {
  console.error(`There is no Node ${asked.join(', ')} in test/nodes/package.json.`);
  process.exit(1);
}
for (const node of nodes) {
  // First on PATH it is the node of the launcher, of `bin/holdfast` and of every program of the tests.
  const env = { ...process.env, PATH: `${node.bin}:${process.env.PATH}` };
  checkThatItRuns(node, env);
  play(node, LAUNCHER, { ...env, HOLDFAST_TEST_INSIDE: '0' });
  if (options.all) play(node, ALL_BUILT, { ...env, HOLDFAST_TEST_INSIDE: '0' });
  else play(node, BUILT, { ...env, HOLDFAST_TEST_INSIDE: '1' });
}

function play(node, suites, env) {
  console.log(`\nNode ${node.version}: ${suites.join(', ')}`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fast', ...suites];
  const { status } = spawnSync(node.program, args, { env, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** Otherwise the suites could pass under another node and prove nothing. */
function checkThatItRuns({ version }, { PATH }) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-nodes-')));
  try {
    const probe = path.join(folder, 'probe.cjs');
    const seen = path.join(folder, 'seen');
    fs.writeFileSync(
      probe,
      `require('fs').appendFileSync(${JSON.stringify(seen)}, process.versions.node + '\\n')`,
    );
    fs.mkdirSync(path.join(folder, '.jwz'));
    const env = { PATH, HOME: folder, NODE_OPTIONS: `--require ${JSON.stringify(probe)}` };
    const payload = JSON.stringify({ session_id: 's', cwd: folder, hook_event_name: 'Stop' });
    const start = (program, args) =>
      spawnSync(path.resolve('dist/holdfast', program), args, {
        cwd: folder,
        env,
        input: payload,
        timeout: 20_000,
      });
    const ended = [start('hooks/stop', []), start('bin/holdfast', ['status'])].map(({ status }) => status);
    const ran = fs.existsSync(seen) ? fs.readFileSync(seen, 'utf8').trim().split('\n') : [];
    if (ended.some((status) => status !== 0) || ran.length !== 2 || ran.some((each) => each !== version))
      throw new Error(
        `hook and command line should run under Node ${version}: exit codes ${ended.join(', ')}, ran under ${ran.join(', ') || 'none'}`,
      );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
