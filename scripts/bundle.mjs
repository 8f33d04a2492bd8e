// Bundles TypeScript into CommonJS files, one per entry and one per dynamic import: what is imported lazily
// is a file of its own, so that a stop loads and parses only what it uses. (esbuild splits ESM only, and an
// ESM entry costs a fifth of bare node's start.)

import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * Bundles the entries, { name: source file }, and everything they import dynamically into `folder`.
 * With `keepGoing`, a chunk that does not build is reported and left out. `replace` puts other files in the
 * place of some, { file: other }: that is how tests bring workflows and reviewers of their own.
 */
export async function bundle(entries, folder, { keepGoing = false, define = {}, replace = {} } = {}) {
  const waiting = new Map(Object.entries(entries).map(([name, file]) => [path.resolve(file), name]));
  const done = new Set();
  const sizes = {};
  for (let file = next(waiting, done); file !== undefined; file = next(waiting, done)) {
    done.add(file);
    const name = waiting.get(file);
    try {
      const result = await build({
        entryPoints: [file],
        outfile: path.join(folder, `${name}.cjs`),
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        minify: true,
        keepNames: false,
        legalComments: 'none',
        metafile: true,
        logLevel: 'silent',
        loader: { '.md': 'text' },
        // Otherwise `import()` of a chunk would start node's ESM loader.
        supported: { 'dynamic-import': false },
        define,
        plugins: [chunksAsFiles(waiting, absolute(replace)), builtinsOnce],
      });
      sizes[name] = Object.values(result.metafile.outputs)[0].bytes;
    } catch (error) {
      if (!keepGoing) throw error;
      console.error(`left out ${name}: ${error.message.split('\n').slice(0, 4).join(' ')}`);
    }
  }
  return sizes;
}

function next(waiting, done) {
  return [...waiting.keys()].find((file) => !done.has(file));
}

function chunksAsFiles(waiting, replaced) {
  return {
    name: 'chunks-as-files',
    setup(building) {
      building.onResolve({ filter: /^\./ }, ({ kind, path: imported, resolveDir }) => {
        const named = path.resolve(resolveDir, imported);
        const file = replaced.get(named) ?? named;
        if (kind !== 'dynamic-import') return file === named ? undefined : { path: file };
        if (!waiting.has(file)) waiting.set(file, chunkName(file));
        return { path: `./${waiting.get(file)}.cjs`, external: true };
      });
    },
  };
}

/**
 * `import fs from 'node:fs'` in seventeen files would be seventeen copies of its hundred properties (esbuild's
 * CommonJS interop), which costs every stop milliseconds. One small module per builtin imports it once.
 */
const builtinsOnce = {
  name: 'builtins-once',
  setup(building) {
    building.onResolve({ filter: /^node:(fs|os|path)$/ }, ({ path: name, namespace }) =>
      namespace === 'builtin' ? undefined : { path: name, namespace: 'builtin' },
    );
    building.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => {
      // Getters (`promises`, `ReadStream`) load half of node when they are read, so they are left out.
      const properties = Object.entries(Object.getOwnPropertyDescriptors(require(name)));
      const names = properties
        .filter(([key, { get }]) => get === undefined && key !== 'default')
        .map(([key]) => key);
      const named = names.map((key) => `export const ${key} = builtin.${key};`);
      return {
        contents: [`const builtin = require('${name}');`, 'export default builtin;', ...named].join('\n'),
      };
    });
  },
};

function absolute(replace) {
  return new Map(Object.entries(replace).map(([file, other]) => [path.resolve(file), path.resolve(other)]));
}

/** src/workflows/claudex/index.ts → workflows-claudex */
function chunkName(file) {
  const parts = file.split(path.sep);
  const source = Math.max(parts.lastIndexOf('src'), parts.lastIndexOf('test'));
  return parts
    .slice(source + 1)
    .join('-')
    .replace(/\.ts$/, '')
    .replace(/-index$/, '');
}
