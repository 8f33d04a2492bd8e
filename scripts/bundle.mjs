// Bundles TypeScript into CommonJS files, one per entry and one per dynamic import: what is imported lazily
// is a file of its own, so that a stop loads and parses only what it uses. The modules of the first file, which is
// always loaded, are in no other: the rest take them from it. (esbuild splits ESM only, and an ESM entry costs a
// fifth of bare node's start.)

import fs from 'node:fs';
import path from 'node:path';
import { build, transform } from 'esbuild';

/**
 * Bundles the entries, { name: source file }, and everything they import dynamically into `folder`. With `keepGoing`,
 * a file that does not build is reported and left out. `replace` puts other files in the place of some,
 * { file: other }: that is how tests bring workflows and reviewers of their own.
 */
export async function bundle(entries, folder, { keepGoing = false, define = {}, replace = {} } = {}) {
  const names = new Map(Object.entries(entries).map(([name, file]) => [path.resolve(file), name]));
  const replaced = absolute(replace);
  const make = (name, input, plugins, more = {}) =>
    build({
      ...input,
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
      loader: { '.md': 'text', '.yaml': 'text' },
      // Otherwise `import()` of a chunk would start node's ESM loader.
      supported: { 'dynamic-import': false },
      define,
      plugins: [...plugins, builtins],
      ...more,
    });

  const [[first, base]] = names;
  const trial = await make(base, { entryPoints: [first] }, [filesApart(names, replaced)], { write: false });
  const common = new CommonModules(base, trial.metafile);
  const done = new Set([first]);
  for (let file = next(names, done); file !== undefined; file = next(names, done)) {
    done.add(file);
    try {
      const plugins = [filesApart(names, replaced, common), common.plugin];
      await make(names.get(file), { entryPoints: [file] }, plugins);
      common.note(path.join(folder, `${names.get(file)}.cjs`));
    } catch (error) {
      if (!keepGoing) throw error;
      console.error(`left out ${names.get(file)}: ${error.message.split('\n').slice(0, 4).join(' ')}`);
    }
  }
  const contents = common.entry(first);
  const stdin = { contents, resolveDir: path.dirname(first), sourcefile: `${base}.mjs` };
  await make(base, { stdin }, [filesApart(names, replaced)]);
}

/** A file of ours that is not bundled, made shorter where it lies: every stop reads it. Its syntax stays as old as it is. */
export async function shorten(file) {
  const options = { minifyWhitespace: true, minifyIdentifiers: true, legalComments: 'none' };
  const { code } = await transform(fs.readFileSync(file, 'utf8'), options);
  fs.writeFileSync(file, code);
}

function next(names, done) {
  return [...names.keys()].find((file) => !done.has(file));
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
  /** What others may take, at the place it has in the list, and the places that they do take from. */
  #offered = [];
  #taken = new Set();

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
            ...(await exportsOf(file)).map(
              (name) => `export const ${name} = /* @__PURE__ */ take('take:${this.#placeOf(file, name)}');`,
            ),
          ].join('\n'),
        }));
        building.onResolve({ filter: /^\.\/[^/]+\.cjs$/ }, ({ path: name, namespace }) =>
          namespace === 'common' ? { path: name, external: true } : undefined,
        );
      },
    };
  }

  /** Stands as text, `take:12`, in what is built, so that it can be found there; `note` leaves the number alone. */
  #placeOf(file, name) {
    const known = this.#offered.findIndex((each) => each.file === file && each.name === name);
    return known < 0 ? this.#offered.push({ file, name }) - 1 : known;
  }

  /** A built file takes what it names; what it could take but does not use is gone from it. */
  note(built) {
    const text = fs.readFileSync(built, 'utf8').replaceAll(/(["'`])take:(\d+)\1/g, (_, __, place) => {
      this.#taken.add(Number(place));
      return place;
    });
    fs.writeFileSync(built, text);
  }

  /**
   * The base file's own entry: what it always exported, and what others take from it. As a list: an object of two
   * hundred names would be put together name by name at every stop.
   */
  entry(file) {
    const places = [...this.#offered.entries()].filter(([place]) => this.#taken.has(place));
    const list = this.#offered.map((_, place) => (this.#taken.has(place) ? `c${place}` : ''));
    return [
      `export * from ${JSON.stringify(file)};`,
      ...places.map(
        ([place, each]) => `import { ${each.name} as c${place} } from ${JSON.stringify(each.file)};`,
      ),
      `export const common = [${list.join()}];`,
    ].join('\n');
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
