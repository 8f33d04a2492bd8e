// What a claim costs on a tree that nobody changed: the content of 100,000 files, looked at by us and by `git status`.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

export const CONTENT = 'proof: a claim on an unchanged tree';
const BOUND = 1.3;
const FILES = 100_000;

/** Interleaved, and the hook's own start taken off: that is in every other case. */
export async function measureContent(rounds) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')));
  try {
    const root = makeTree(path.join(folder, 'project'));
    const probe = await makeProbe(folder);
    const env = { PATH: process.env.PATH, HOME: folder };
    const times = { ours: [], git: [] };
    for (let round = -3; round < rounds; round++) {
      const git = timed(() => must(spawnSync('git', ['status'], { cwd: root, env })));
      const ours = Number(must(spawnSync(process.execPath, [probe, root], { cwd: root, env })));
      if (round < 0) continue;
      times.git.push(git);
      times.ours.push(ours);
    }
    const [ours, git] = [median(times.ours), median(times.git)];
    return { name: CONTENT, files: FILES, milliseconds: ours, git, ratio: ours / git, bound: BOUND };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function makeTree(root) {
  for (let count = 0; count < FILES / 100; count++) {
    const place = path.join(root, `package-${count % 50}`, 'src', `folder-${count}`);
    fs.mkdirSync(place, { recursive: true });
    for (let each = 0; each < 100; each++)
      fs.writeFileSync(path.join(place, `file-${each}.ts`), `export const a${each} = ${count};\n`);
  }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'all');
  // Younger than the index no file may be: git would read it.
  execFileSync('sleep', ['2']);
  git('status');
  return root;
}

async function makeProbe(folder) {
  const probe = path.join(folder, 'probe.cjs');
  await build({
    stdin: {
      contents: `
        import { contentOf } from './src/engine/proof/content.ts';
        const begin = process.hrtime.bigint();
        contentOf(process.argv[2], process.env, { without: ['.holdfast', '.jwz', '.claude/claudex', '.taskie'] })
          .then((content) => content.of(null))
          .then(() => console.log(Number(process.hrtime.bigint() - begin) / 1e6));
      `,
      resolveDir: path.resolve(import.meta.dirname, '..'),
    },
    outfile: probe,
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', minify: true, logLevel: 'silent' },
    external: ['fs-native-extensions'],
  });
  return probe;
}

function timed(work) {
  const begin = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

function must({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(String(stderr));
  return String(stdout);
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
