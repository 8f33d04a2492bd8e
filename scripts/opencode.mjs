// Builds `dist/opencode/plugin.mjs`: what opencode loads, through the small file that `holdfast install` makes of the
// loader beside it.

import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

export async function buildOpencode(folder) {
  await build({
    entryPoints: ['extensions/opencode/plugin.ts'],
    outfile: path.join(folder, 'plugin.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'silent',
  });
  fs.copyFileSync('extensions/opencode/loader.js', path.join(folder, 'loader.js'));
}
