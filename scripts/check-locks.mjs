// Does `npm ci` take every lock file of the repository, on each platform that Holdfast supports? Played in a temp
// folder without installing anything: npm compares the lock with package.json and plans what it would install.
//   node scripts/check-locks.mjs

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['.', 'test/clients', 'test/clients/others', 'test/nodes'];
const platforms = ['linux', 'darwin'].flatMap((system) => ['x64', 'arm64'].map((cpu) => ({ system, cpu })));

const failed = folders.flatMap((folder) =>
  platforms.filter((platform) => !isTaken(folder, platform)).map((platform) => ({ folder, platform })),
);
process.exitCode = failed.length === 0 ? 0 : 1;

function isTaken(folder, { system, cpu }) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-lock-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      fs.copyFileSync(path.join(root, folder, file), path.join(copy, file));
    const args = ['ci', '--dry-run', '--ignore-scripts', `--os=${system}`, `--cpu=${cpu}`];
    const { status, stderr } = spawnSync('npm', args, { cwd: copy, encoding: 'utf8', timeout: 120_000 });
    console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  npm ci in ${folder} on ${system} ${cpu}`);
    if (status !== 0) console.error(stderr);
    return status === 0;
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
}
