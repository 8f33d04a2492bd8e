// Takes the moving picture of README, docs/images/session.svg, again: a recorded session of the real Claude Code, drawn by
// svg-term. Needs asciinema and tmux, the clients of test/clients, and what `npm run build` made.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SVG_TERM = 'svg-term-cli@2.1.1';
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const bundle = path.join(root, '.test-build', 'take-film.mjs');
process.env.HOLDFAST_TEST_CLIENTS ??= path.join(root, 'test/clients/node_modules');
// The screen shows where Holdfast lies: in no folder of whoever takes the picture.
const marketplace = '/var/tmp/holdfast';
fs.cpSync('dist', marketplace, { recursive: true });
process.env.HOLDFAST_TEST_MARKETPLACE = marketplace;

await build({
  entryPoints: ['test/clients/film.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
});
const { film } = await import(pathToFileURL(bundle).href);
const recording = path.join(root, '.test-build', 'session.cast');
fs.writeFileSync(recording, await film());
fs.rmSync(bundle);
fs.rmSync(marketplace, { recursive: true });
const words = ['--in', recording, '--out', 'docs/images/session.svg', '--window', '--no-cursor'];
const drawn = spawnSync('npx', ['--yes', SVG_TERM, ...words], { stdio: 'inherit' });
if (drawn.status !== 0) process.exit(1);
const picture = 'docs/images/session.svg';
const title = '<title>A session of Claude Code that Holdfast keeps at its work until its tests pass</title>';
fs.writeFileSync(picture, fs.readFileSync(picture, 'utf8').replace(/^<svg [^>]*>/, `$&${title}`));
