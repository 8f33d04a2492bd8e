// Builds `dist/views/otlp.cjs`: OpenTelemetry's packages as `holdfast export` uses them. It lies beside the plugins and not
// in one, since clients copy those.

import path from 'node:path';
import { build } from 'esbuild';

export async function buildOtlp(folder, define) {
  await build({
    entryPoints: ['src/export/otlp/index.ts'],
    outfile: path.join(folder, 'otlp.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Of the packages' two forms the one whose unused parts can be left out.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    define,
  });
}
