// Builds `dist/`, a ready marketplace folder without links: the plugins as the clients load them, with the
// bundle, the launcher and the lock's native part inside the `holdfast` plugin, and the views beside them.
//   node scripts/build.mjs [--out FOLDER] [--registry FILE] [--reviewers FILE] [--version VERSION]

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, bundleAlone, shorten } from './bundle.mjs';
import { writeForGemini } from './gemini.mjs';
import { buildOpencode } from './opencode.mjs';
import { buildOtlp } from './otlp.mjs';
import { writePlugins } from './plugins.mjs';
import { buildViews } from './views.mjs';

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    registry: { type: 'string', default: 'src/workflows/registry.ts' },
    reviewers: { type: 'string', default: 'src/reviewers/index.ts' },
    // Another than the package's own: how tests make an upgrade.
    version: { type: 'string' },
  },
});
const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const out = path.resolve(options.out);
if (fs.existsSync(out) && !fs.statSync(out).isDirectory())
  throw new Error(`${out} is there and is no folder`);
const version = options.version ?? JSON.parse(fs.readFileSync('package.json', 'utf8')).version;
const bundling = {
  define: { HOLDFAST_VERSION: JSON.stringify(version) },
  replace: { 'src/workflows/registry.ts': options.registry, 'src/reviewers/index.ts': options.reviewers },
};

// Built beside and swapped in at the end: a hook that runs meanwhile finds one whole version or the other.
const fresh = `${out}.${process.pid}.new`;
fs.rmSync(fresh, { recursive: true, force: true });
const workflows = await readRegistry();
writePlugins(fresh, workflows, version);
const plugin = path.join(fresh, 'holdfast');
const entries = { hook: 'src/hook/main.ts', cli: 'src/cli/main.ts', line: 'src/view/line/main.ts' };
await bundle(entries, path.join(plugin, 'lib'), bundling);
await shorten(path.join(plugin, 'lib', 'entry.cjs'));
refuseOtherThanAscii(path.join(plugin, 'lib'));
copyNativeLock(path.join(plugin, 'lib', 'native'));
writeForGemini(fresh, workflows, version);
await buildOpencode(path.join(fresh, 'opencode'));
await buildOtlp(path.join(fresh, 'views'), bundling.define);
await buildViews(path.join(fresh, 'views'), bundling.define);
const old = `${out}.${process.pid}.old`;
if (fs.existsSync(out)) fs.renameSync(out, old);
fs.renameSync(fresh, out);
fs.rmSync(old, { recursive: true, force: true });

/** The hook reads its files as latin1, and esbuild leaves other letters alone in a regular expression. */
function refuseOtherThanAscii(folder) {
  for (const name of fs.readdirSync(folder)) {
    const [found] = /.{0,40}\P{ASCII}.{0,40}/u.exec(fs.readFileSync(path.join(folder, name), 'utf8')) ?? [];
    if (found === undefined) continue;
    fs.rmSync(fresh, { recursive: true });
    throw new Error(`${name} is not ASCII: ${found}; write the letter as an escape`);
  }
}

function copyNativeLock(folder) {
  const prebuilt = path.join(root, 'node_modules', 'fs-native-extensions', 'prebuilds');
  fs.mkdirSync(folder, { recursive: true });
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
    fs.copyFileSync(
      path.join(prebuilt, platform, 'fs-native-extensions.node'),
      path.join(folder, `${platform}.node`),
    );
}

/** As data: what a workflow loads is not loaded here. */
async function readRegistry() {
  const file = `${fresh}.registry.cjs`;
  await bundleAlone(options.registry, file, bundling);
  const { default: module } = await import(pathToFileURL(file).href);
  fs.rmSync(file);
  return module.registry;
}
