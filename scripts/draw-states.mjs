// Writes docs/states.md: the diagrams of every workflow's states, drawn from the decisions themselves.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundle = path.join(root, '.test-build', 'draw-states.mjs');

await build({
  entryPoints: [path.join(root, 'test/model/diagrams.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: { '.md': 'text' },
  external: ['fs-native-extensions'],
});
const { drawStates } = await import(pathToFileURL(bundle).href);
fs.mkdirSync(path.join(root, 'docs'), { recursive: true });
fs.writeFileSync(path.join(root, 'docs/states.md'), drawStates());
fs.rmSync(bundle);
