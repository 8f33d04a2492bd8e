// Holdfast in Droid: what its plugin commands say is installed, and which of them bring it to what is wanted. Reads and
// plans; carries nothing out. Droid takes Claude Code's marketplaces, names them after their folder, and runs a copy of a
// plugin, whose version is the commit that the folder is at.

import path from 'node:path';
import { ClientFailed, runProgram, type Step, saidBy } from '../install/program.ts';
import type { Wishes } from '../installer.ts';

export type DroidPlugin = { name: string; marketplace: string; isActive: boolean };

/** `marketplace`: what Droid calls ours, and the folder it was added from; null: it knows none. */
export type DroidState = {
  version: string;
  marketplace: { name: string; folder: string } | null;
  plugins: readonly DroidPlugin[];
};

/** Null: Droid is not on PATH. */
export async function lookAtDroid(cwd: string): Promise<DroidState | null> {
  const version = await runProgram('droid', ['--version'], cwd);
  if (version === null) return null;
  const marketplace = parseMarketplaces(await ask(['marketplace', 'list'], cwd));
  const plugins = parsePlugins(await ask(['list', '--scope', 'user'], cwd));
  return { version: version.stdout.trim(), marketplace, plugins: ofMarketplace(plugins, marketplace) };
}

export async function droidPlugins({ marketplace }: DroidState, cwd: string): Promise<DroidPlugin[]> {
  const known = marketplace ?? parseMarketplaces(await ask(['marketplace', 'list'], cwd));
  return ofMarketplace(parsePlugins(await ask(['list', '--scope', 'user'], cwd)), known);
}

/** The one whose own name is ours: `  dist  (5 plugins)  local:/home/dev/dist  "holdfast"`. */
export function parseMarketplaces(text: string): DroidState['marketplace'] {
  const [, name, folder] = /^\s+(\S+)\s+\(\d+ plugins?\)\s+local:(.+?)\s+"holdfast"\s*$/m.exec(text) ?? [];
  return name === undefined || folder === undefined ? null : { name, folder };
}

/** `  idle@dist  [user]  11db445`, below a heading that says whether they are active. */
export function parsePlugins(text: string): DroidPlugin[] {
  let isActive = true;
  return text.split('\n').flatMap((line) => {
    const heading = /^(\w[\w ]*):$/.exec(line)?.[1];
    if (heading !== undefined) isActive = heading === 'Active' || heading === 'Installed plugins';
    const [, name, marketplace] = /^\s+([\w-]+)@(\S+)\s+\[user\]/.exec(line) ?? [];
    return name === undefined || marketplace === undefined ? [] : [{ name, marketplace, isActive }];
  });
}

function ofMarketplace(
  plugins: readonly DroidPlugin[],
  marketplace: DroidState['marketplace'],
): DroidPlugin[] {
  return plugins.filter((plugin) => plugin.marketplace === marketplace?.name);
}

/** Takes out and puts in again what is there: the copy does not tell of which Holdfast it is. */
export function planDroidInstall(state: DroidState, { source, plugins, cwd }: Wishes): Step[] {
  const { marketplace } = state;
  const isAdded = marketplace?.folder === source.folder;
  const name = isAdded ? marketplace.name : path.basename(source.folder);
  const added = isAdded
    ? []
    : [
        ...(marketplace === null ? [] : removeAll(state, cwd)),
        step(cwd, 'marketplace', 'add', source.folder),
      ];
  const old = isAdded ? state.plugins.filter((each) => plugins.includes(each.name)) : [];
  return [
    ...old.map((each) => uninstallStep(each, cwd)),
    ...added,
    ...plugins.map((plugin) => step(cwd, 'install', `${plugin}@${name}`, '--scope', 'user')),
  ];
}

export function planDroidUninstall(state: DroidState, cwd: string): Step[] {
  return state.marketplace === null ? [] : removeAll(state, cwd);
}

export function droidLoadProblems(installed: readonly DroidPlugin[], { plugins }: Wishes): string[] {
  return plugins.flatMap((name) => {
    const found = installed.find((each) => each.name === name);
    if (found === undefined) return [`${name} is not there after its installation`];
    return found.isActive ? [] : [`${name} is switched off`];
  });
}

function removeAll({ plugins, marketplace }: DroidState, cwd: string): Step[] {
  return [
    ...plugins.map((plugin) => uninstallStep(plugin, cwd)),
    ...(marketplace === null ? [] : [step(cwd, 'marketplace', 'remove', marketplace.name)]),
  ];
}

function uninstallStep({ name, marketplace }: DroidPlugin, cwd: string): Step {
  return step(cwd, 'uninstall', `${name}@${marketplace}`, '--scope', 'user');
}

const step = (cwd: string, ...args: string[]): Step => ({ program: 'droid', args: ['plugin', ...args], cwd });

async function ask(args: readonly string[], cwd: string): Promise<string> {
  const ended = await runProgram('droid', ['plugin', ...args], cwd);
  if (ended?.ok) return ended.stdout;
  const why = ended === null ? 'not found' : saidBy(ended);
  throw new ClientFailed(`\`droid plugin ${args.join(' ')}\` failed: ${why}`);
}
