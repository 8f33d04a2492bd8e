// Bundles TypeScript into CommonJS files, one per entry and one per dynamic import: what is imported lazily
// is a file of its own, so that a stop loads and parses only what it uses. The modules of the first file, which is
// always loaded, are in no other: the rest take them from it. (esbuild splits ESM only, and an ESM entry costs a
// fifth of bare node's start.)

import fs from 'node:fs';
import path from 'node:path';
import { build, transform } from 'esbuild';

/**
 * Bundles the entries, { name: source file }, and everything they import dynamically into `folder`. `replace` puts other
 * files in the place of some, { file: other }: that is how tests bring workflows and reviewers of their own.
 */
export async function bundle(entries, folder, { define = {}, replace = {} } = {}) {
  const names = new Map(Object.entries(entries).map(([name, file]) => [path.resolve(file), name]));
  const replaced = absolute(replace);
  const [[first, base]] = names;
  const builtAs = (name) => path.join(folder, `${name}.cjs`);
  const make = (input, plugins) => build({ ...asCommonJs(define, plugins), ...input });

  const onlyTried = { entryPoints: [first], outfile: builtAs(base), write: false };
  const trial = await make(onlyTried, [filesApart(names, replaced)]);
  const common = new CommonModules(base, trial.metafile);
  const done = new Set([first]);
  // In waves: what one imports dynamically makes the next. All of a wave at once, for what they share is read once then.
  for (let wave = rest(names, done); wave.length > 0; wave = rest(names, done)) {
    for (const file of wave) done.add(file);
    const entryPoints = Object.fromEntries(wave.map((file) => [names.get(file), file]));
    await make({ entryPoints, outdir: folder }, [filesApart(names, replaced, common), common.plugin]);
  }
  const others = [...names.values()].filter((name) => name !== base);
  const contents = common.entryOf(first, others.map(builtAs));
  const stdin = { contents, resolveDir: path.dirname(first), sourcefile: `${base}.mjs` };
  await make({ stdin, outfile: builtAs(base) }, [filesApart(names, replaced)]);
}

/** One file with what it imports at once, to be read as data: what it would load later is not built. */
export async function bundleAlone(file, outfile, { define = {}, replace = {} } = {}) {
  const plugins = [filesApart(new Map(), absolute(replace))];
  await build({ ...asCommonJs(define, plugins), entryPoints: [file], outfile });
}

function asCommonJs(define, plugins) {
  return {
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    loader: { '.md': 'text', '.yaml': 'text' },
    // Otherwise `import()` of a chunk would start node's ESM loader.
    supported: { 'dynamic-import': false },
    define,
    plugins: [...plugins, builtins],
  };
}

/** A file of ours that is not bundled, made shorter where it lies: every stop reads it. Its syntax stays as old as it is. */
export async function shorten(file) {
  const options = { minifyWhitespace: true, minifyIdentifiers: true, legalComments: 'none' };
  const { code } = await transform(fs.readFileSync(file, 'utf8'), options);
  fs.writeFileSync(file, code);
}

function rest(names, done) {
  return [...names.keys()].filter((file) => !done.has(file));
}

/** Each dynamic import becomes a file of its own, and is noted in `names` to be built. */
function filesApart(names, replaced, common = null) {
  return {
    name: 'files-apart',
    setup(building) {
      building.onResolve({ filter: /^[./]/ }, ({ kind, path: imported, resolveDir }) => {
        const named = path.resolve(resolveDir, imported);
        const file = replaced.get(named) ?? named;
        if (kind === 'entry-point') return undefined;
        if (kind !== 'dynamic-import')
          return common?.resolve(file) ?? (file === named ? undefined : { path: file });
        if (!names.has(file)) names.set(file, chunkName(file));
        return { path: `./${names.get(file)}.cjs`, external: true };
      });
    },
  };
}

/** The modules in the base file. In its place another file gets a stand-in that takes each export from there. */
class CommonModules {
  #base;
  #files;
  #exports = new Map();

  constructor(base, metafile) {
    this.#base = base;
    this.#files = new Set(Object.keys(metafile.inputs).map((file) => path.resolve(file)));
  }

  resolve(file) {
    if (!file.endsWith('.ts') || !this.#files.has(file)) return null;
    return { path: file, namespace: 'common' };
  }

  get plugin() {
    return {
      name: 'common-modules',
      setup: (building) => {
        building.onLoad({ filter: /.*/, namespace: 'common' }, async ({ path: file }) => ({
          // Marked pure, so that what nobody uses is not even asked for.
          contents: [
            `const { common } = require('./${this.#base}.cjs');`,
            'const take = (place) => common[place];',
            ...(await this.#exportsOf(file)).map(
              (name) =>
                `export const ${name} = /* @__PURE__ */ take('take:${path.relative('', file)}:${name}');`,
            ),
          ].join('\n'),
        }));
        building.onResolve({ filter: /^\.\/[^/]+\.cjs$/ }, ({ path: name, namespace }) =>
          namespace === 'common' ? { path: name, external: true } : undefined,
        );
      },
    };
  }

  /** Dozens of files ask for most of them, and each answer takes a build of its own. */
  #exportsOf(file) {
    if (!this.#exports.has(file)) this.#exports.set(file, exportsOf(file));
    return this.#exports.get(file);
  }

  /**
   * The base file's own entry: what it always exported, and what the built files take from it, as a list: an object of
   * two hundred names would be put together name by name at every stop. In those files the place in it comes instead of
   * the name; what they could take but do not use is gone from them.
   */
  entryOf(file, built) {
    const texts = built.map((each) => fs.readFileSync(each, 'utf8'));
    const named = /(["'`])take:([^"'`]+)\1/g;
    const taken = [
      ...new Set(texts.flatMap((text) => [...text.matchAll(named)].map(([, , name]) => name))),
    ].sort();
    for (const [index, text] of texts.entries())
      fs.writeFileSync(
        built[index],
        text.replaceAll(named, (_, __, name) => taken.indexOf(name)),
      );
    const imports = taken.map((each, place) => {
      const [from, name] = each.split(':');
      return `import { ${name} as c${place} } from ${JSON.stringify(path.resolve(from))};`;
    });
    const list = taken.map((_, place) => `c${place}`);
    return [`export * from ${JSON.stringify(file)};`, ...imports, `export const common = [${list}];`].join(
      '\n',
    );
  }
}

async function exportsOf(file) {
  const { metafile } = await build({
    entryPoints: [file],
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'nowhere',
  });
  return Object.values(metafile.outputs)[0].exports;
}

/**
 * `import fs from 'node:fs'` in seventeen files would be seventeen copies of its hundred properties (esbuild's
 * CommonJS interop), which costs every stop milliseconds. So a builtin is only ever imported as a whole.
 */
const builtins = {
  name: 'builtins',
  setup(building) {
    building.onResolve({ filter: /^node:(fs|os|path)$/ }, ({ path: name, namespace }) =>
      namespace === 'builtin' ? undefined : { path: name, namespace: 'builtin' },
    );
    building.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => ({
      contents: name === 'node:os' ? whenAsked(name) : `export default require('${name}');`,
    }));
  },
};

/** For a builtin that is seldom used and slow to load. */
const whenAsked = (name) => `export default new Proxy({}, { get: (_, key) => require('${name}')[key] });`;

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
