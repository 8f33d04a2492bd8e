// Builds `dist/`, a ready marketplace folder without links: the plugins as the clients load them, with the
// bundle, the launcher and the lock's native part inside the `holdfast` plugin.
//   node scripts/build.mjs [--keep-going] [--out FOLDER] [--registry FILE] [--reviewers FILE] [--version VERSION]

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    'keep-going': { type: 'boolean', default: false },
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
  keepGoing: options['keep-going'],
  define: { HOLDFAST_VERSION: JSON.stringify(version) },
  replace: { 'src/workflows/registry.ts': options.registry, 'src/reviewers/index.ts': options.reviewers },
};

// Built beside and swapped in at the end: a hook that runs meanwhile finds one whole version or the other.
const fresh = `${out}.${process.pid}.new`;
fs.rmSync(fresh, { recursive: true, force: true });
fs.cpSync('plugins', fresh, { recursive: true, dereference: true });
const plugin = path.join(fresh, 'holdfast');
await bundle({ hook: 'src/hook/main.ts', cli: 'src/cli/main.ts' }, path.join(plugin, 'lib'), bundling);
copyNativeLock(path.join(plugin, 'lib', 'native'));
await fillLauncher(path.join(plugin, 'hooks', 'stop'));
stampVersion(fresh);
writeForQwen(plugin);
fs.chmodSync(path.join(plugin, 'hooks', 'stop'), 0o755);
fs.chmodSync(path.join(plugin, 'bin', 'holdfast'), 0o755);
const old = `${out}.${process.pid}.old`;
if (fs.existsSync(out)) fs.renameSync(out, old);
fs.renameSync(fresh, out);
fs.rmSync(old, { recursive: true, force: true });

function copyNativeLock(folder) {
  const prebuilt = path.join(root, 'node_modules', 'fs-native-extensions', 'prebuilds');
  fs.mkdirSync(folder, { recursive: true });
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
    fs.copyFileSync(
      path.join(prebuilt, platform, 'fs-native-extensions.node'),
      path.join(folder, `${platform}.node`),
    );
}

/** The launcher leaves without starting node when no run's folder is there, so it must know all of them. */
async function fillLauncher(launcher) {
  const temporary = path.join(fresh, '.registry');
  await bundle({ registry: options.registry }, temporary, { ...bundling, keepGoing: true });
  const { default: module } = await import(pathToFileURL(path.join(temporary, 'registry.cjs')).href);
  fs.rmSync(temporary, { recursive: true });
  const tests = module.registry.flatMap((entry) => entry.traces.map((trace) => `[ -e "$1/${trace}" ]`));
  const source = fs.readFileSync(launcher, 'utf8');
  fs.writeFileSync(launcher, source.replace('@TRACES@', tests.length === 0 ? 'false' : tests.join(' || ')));
}

/**
 * Qwen Code reads a timeout of 1000 and more as milliseconds (0.24.4), so our hooks file would give it 7.2 s. Installed
 * as the folder that the plugin is (`qwen extensions install <folder>`), it takes this manifest and its hooks instead.
 */
function writeForQwen(folder) {
  const { name, description } = readJson(path.join(folder, '.claude-plugin', 'plugin.json'));
  const hooksFile = readJson(path.join(folder, 'hooks', 'hooks.json'));
  for (const { hooks } of Object.values(hooksFile.hooks).flat())
    for (const hook of hooks) {
      hook.command = hook.command.replace(`--limit ${hook.timeout}`, `--limit ${hook.timeout * 1000}`);
      hook.timeout *= 1000;
    }
  writeJson(path.join(folder, 'hooks', 'qwen.json'), hooksFile);
  writeJson(path.join(folder, 'qwen-extension.json'), {
    name,
    version,
    description,
    hooks: 'hooks/qwen.json',
  });
}

/** One version for all: the clients tell an upgrade by it. */
function stampVersion(folder) {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name, '.claude-plugin', 'plugin.json');
    if (!fs.existsSync(file)) continue;
    writeJson(file, { ...readJson(file), version });
  }
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
