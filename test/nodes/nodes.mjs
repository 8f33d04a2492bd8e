// The newer versions of Node that Holdfast is tested and measured with: npm's own packages of the program, pinned in
// package.json beside this file and installed there when they are missing.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

/** [{ version, program, bin }], lowest first; `bin` is the folder for PATH. Throws when one cannot be had. */
export function installNodes() {
  const wanted = pinned();
  if (wanted.some((node) => versionOf(node.program) !== node.version)) install();
  for (const { program, version } of wanted) {
    const found = versionOf(program);
    if (found !== version)
      throw new Error(`${program} should be Node ${version} and is ${found ?? 'missing'}`);
  }
  return wanted;
}

function pinned() {
  const { optionalDependencies } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
  const mine = Object.entries(optionalDependencies).filter(([name]) =>
    name.endsWith(`-${process.platform}-${process.arch}`),
  );
  if (mine.length === 0)
    throw new Error(`${here}/package.json names no Node for ${process.platform} ${process.arch}`);
  return mine.map(([name, wanted]) => {
    const bin = path.join(here, 'node_modules', name, 'bin');
    return { version: wanted.split('@').at(-1), program: path.join(bin, 'node'), bin };
  });
}

function install() {
  console.log('Installing the newer versions of Node (about 400 MB) …');
  const args = ['ci', '--no-bin-links', '--no-audit', '--no-fund', '--no-progress'];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: here,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed in ${here}:\n${stdout}\n${stderr}`);
}

function versionOf(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return stdout?.trim().replace(/^v/, '');
}
