// Builds `dist/views`: the page and its server, and the terminal view, with their libraries. They lie beside the
// plugins and not in one, since clients copy those.

import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { readDiagrams } from './diagrams.mjs';

const SOURCE = 'src/views';
const LOADER = "exports.load = (name) => import('./' + name + '.mjs');\n";

export async function buildViews(folder, define) {
  const shared = {
    bundle: true,
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    define: {
      ...define,
      HOLDFAST_DIAGRAMS: JSON.stringify(readDiagrams('docs/states.md')),
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
    },
  };
  fs.mkdirSync(path.join(folder, 'page'), { recursive: true });
  await build({
    ...shared,
    entryPoints: { web: `${SOURCE}/web/index.ts`, watch: `${SOURCE}/watch/index.tsx` },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Parts of ink's family are CommonJS and require node's own modules.
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    plugins: [withoutDevtools],
  });
  await build({
    ...shared,
    entryPoints: { page: `${SOURCE}/page/main.tsx` },
    outdir: path.join(folder, 'page'),
    platform: 'browser',
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  for (const name of ['index.html', 'icon.svg'])
    fs.copyFileSync(path.join(SOURCE, 'page', name), path.join(folder, 'page', name));
  // Where the plugin's files are loaded from, `import()` is not to be had.
  fs.writeFileSync(path.join(folder, 'load.cjs'), LOADER);
}

/** ink names a debugger that nobody installs here. */
const withoutDevtools = {
  name: 'without-devtools',
  setup(building) {
    building.onResolve({ filter: /^react-devtools-core$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'none',
    }));
    building.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};
