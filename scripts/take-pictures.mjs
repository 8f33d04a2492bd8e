// Takes the pictures of docs/images again, from seeded data. Needs chromium, and what `npm run build` made.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const bundle = path.join(root, '.test-build', 'take-pictures.mjs');

await build({
  entryPoints: ['test/web/pictures.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['playwright-core'],
});
const { takePictures } = await import(pathToFileURL(bundle).href);
fs.mkdirSync('docs/images', { recursive: true });
await takePictures('docs/images');
fs.rmSync(bundle);
