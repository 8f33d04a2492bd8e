// Writes the plugins as the clients load them: the core, and for each workflow of the registry its skills with
// everything else that a plugin needs around them.

import fs from 'node:fs';
import path from 'node:path';

const CORE = 'holdfast';

/** `workflows` are the registry's entries. One without a folder in plugins/ has no plugin: those of tests. */
export function writePlugins(folder, workflows, version) {
  const core = path.join(folder, CORE);
  fs.cpSync(path.join('plugins', CORE), core, { recursive: true, dereference: true });
  const manifest = readJson(path.join(core, '.claude-plugin', 'plugin.json'));
  writeJson(path.join(core, '.claude-plugin', 'plugin.json'), { ...manifest, version });
  const packed = workflows.filter(({ name }) => fs.existsSync(path.join('plugins', name)));
  for (const workflow of packed) writeWorkflow(folder, workflow, { ...manifest, version });
  writeJson(path.join(folder, '.claude-plugin', 'marketplace.json'), {
    name: CORE,
    description: readJson('package.json').description,
    owner: manifest.author,
    plugins: [manifest, ...packed].map(({ name, description }) => ({
      name,
      source: `./${name}`,
      description,
    })),
  });
  fillLauncher(path.join(core, 'hooks', 'stop'), workflows);
  for (const name of [CORE, ...packed.map((workflow) => workflow.name)])
    writeForQwen(path.join(folder, name));
  fs.chmodSync(path.join(core, 'bin', 'holdfast'), 0o755);
}

/** One version for all: the clients tell an upgrade by it. */
function writeWorkflow(folder, { name, description }, { author, license, version }) {
  const plugin = path.join(folder, name);
  fs.cpSync(path.join('plugins', name), plugin, { recursive: true, dereference: true });
  const manifest = { name, description, author, license, dependencies: [CORE], version };
  writeJson(path.join(plugin, '.claude-plugin', 'plugin.json'), manifest);
  fs.mkdirSync(path.join(plugin, 'bin'), { recursive: true });
  fs.copyFileSync('scripts/shim.sh', path.join(plugin, 'bin', 'holdfast'));
  fs.chmodSync(path.join(plugin, 'bin', 'holdfast'), 0o755);
  copyTexts(name, path.join(folder, CORE, name));
}

/**
 * What a plugin has beside its skills is read by its reviewers too, who are started by the hook. The hook knows the
 * folder of the core alone: a client may keep each plugin in a cache of its own. So the core has a copy.
 */
function copyTexts(name, to) {
  const own = path.join('plugins', name);
  for (const entry of fs.readdirSync(own))
    if (entry !== 'skills')
      fs.cpSync(path.join(own, entry), path.join(to, entry), { recursive: true, dereference: true });
}

/** The launcher leaves without starting node when no run's folder is there, so it must know all of them. */
function fillLauncher(launcher, workflows) {
  const tests = workflows.flatMap(({ name, traces }) =>
    traces.map((trace) => `is_near ${name} "$1/${trace}"`),
  );
  const moved = workflows.flatMap(({ movedBy }) => (movedBy === undefined ? [] : `[ -n "\${${movedBy}-}" ]`));
  const source = fs.readFileSync(launcher, 'utf8');
  const anyOf = (conditions) => (conditions.length === 0 ? 'false' : conditions.join(' || '));
  fs.writeFileSync(launcher, source.replace('@TRACES@', anyOf(tests)).replace('@MOVED@', anyOf(moved)));
  fs.chmodSync(launcher, 0o755);
}

/**
 * Installed as the folder that the plugin is (`qwen extensions install <folder>`), Qwen Code takes this manifest. It
 * reads a timeout of 1000 and more as milliseconds (0.24.4), so our hooks file would give it 7.2 s: it has one of its own.
 */
function writeForQwen(plugin) {
  const { name, version, description } = readJson(path.join(plugin, '.claude-plugin', 'plugin.json'));
  const hooks = path.join(plugin, 'hooks', 'hooks.json');
  const manifest = { name, version, description };
  if (!fs.existsSync(hooks)) return writeJson(path.join(plugin, 'qwen-extension.json'), manifest);
  writeJson(path.join(plugin, 'hooks', 'qwen.json'), inMilliseconds(readJson(hooks)));
  writeJson(path.join(plugin, 'qwen-extension.json'), { ...manifest, hooks: 'hooks/qwen.json' });
}

function inMilliseconds(file) {
  for (const { hooks } of Object.values(file.hooks).flat())
    for (const hook of hooks) {
      hook.command = hook.command.replace(`--limit ${hook.timeout}`, `--limit ${hook.timeout * 1000}`);
      hook.timeout *= 1000;
    }
  return file;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
