// Installs Holdfast in opencode, takes it out again and checks it: one file in the user's folder of plugins, which opencode
// loads by itself. No other file of opencode's is touched.

import fs from 'node:fs';
import path from 'node:path';
import { disk } from '../../store/disk.ts';
import type { Environment } from '../../store/environment.ts';
import { realPath, replaceFile } from '../../store/files.ts';
import { removeIfEmpty } from '../../store/remove-if-empty.ts';
import { userStateFolder } from '../../store/user-state.ts';
import { forAllProjects, nothingInstalled, unchanged } from '../install/by-steps.ts';
import { ClientFailed, runProgram, saidBy } from '../install/program.ts';
import {
  type ClientFinding,
  type FoundClient,
  type Installer,
  notInstalled,
  type Outcome,
  type Wishes,
} from '../installer.ts';
import {
  builtPlugin,
  type PluginFile,
  pluginPath,
  pluginText,
  readLoader,
  readPluginFile,
} from './plugin-file.ts';

export const installer: Installer = {
  async look(cwd) {
    const version = await runProgram('opencode', ['--version'], cwd);
    if (version === null) return null;
    if (!version.ok) throw new ClientFailed(`\`opencode --version\` failed: ${saidBy(version)}`);
    return foundOpencode(`opencode ${version.stdout.trim()}`, readPluginFile(process.env));
  },
};

function foundOpencode(name: string, found: PluginFile): FoundClient {
  const isOurs = found.kind === 'ours';
  return {
    source: isOurs ? found.source : null,
    hasPlugins: isOurs,
    install: async (wishes, { env, dryRun }) => installIn(name, found, wishes, env, dryRun),
    uninstall: async ({ env, dryRun }) => removeFrom(name, found, env, dryRun),
    check: async ({ env, cli }) => [judge(name, found, env, cli)],
  };
}

function installIn(
  name: string,
  found: PluginFile,
  wishes: Wishes,
  env: Environment,
  dryRun: boolean,
): Outcome {
  const { source, plugins } = wishes;
  const file = pluginPath(env);
  if (found.kind === 'foreign')
    throw new ClientFailed(`${file} is there and is not Holdfast's, so it was left alone. Move it away.`);
  const text = pluginText(readLoader(source.folder), source.folder, plugins);
  const what = forAllProjects(wishes);
  if (found.kind === 'ours' && found.text === text)
    return unchanged(`${name}: ${what}: installed already (${file}).`);
  if (dryRun) return unchanged(`${name}: ${file} would be written, with ${plugins.join(', ')}.`);
  disk.makeFolder(path.dirname(file));
  const folder = realPath(path.dirname(file)) ?? path.dirname(file);
  replaceFile(path.join(folder, path.basename(file)), text, folder);
  return { good: true, changed: true, lines: [`${name}: installed ${what} (${file}).`] };
}

function removeFrom(name: string, found: PluginFile, env: Environment, dryRun: boolean): Outcome {
  if (found.kind !== 'ours') return nothingInstalled(name);
  const file = pluginPath(env);
  if (dryRun) return unchanged(`${name}: ${file} would be removed.`);
  disk.remove(file);
  removeIfEmpty(path.dirname(file));
  const transcripts = path.join(userStateFolder(env), 'opencode');
  if (fs.existsSync(transcripts)) disk.remove(transcripts);
  return { good: true, changed: true, lines: [`${name}: removed ${found.plugins.join(', ')} (${file}).`] };
}

function judge(name: string, found: PluginFile, env: Environment, cli: string): ClientFinding {
  const fix = `${cli} install --client opencode`;
  if (found.kind !== 'ours') return notInstalled(name, fix);
  if (!fs.existsSync(builtPlugin(found.source)))
    return {
      result: 'bad',
      what: `${name}: ${pluginPath(env)} names ${found.source}, which is gone, so nothing is held`,
      fix,
    };
  return { result: 'good', what: `${name}: the plugin is installed`, fix: null };
}
