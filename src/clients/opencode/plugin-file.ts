// The file in the user's folder of opencode plugins through which opencode loads ours: what is in it, and whether it is
// there. It does no harm when the folder that it names is gone.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { readOwn } from '../../store/open.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';

/** Told by this line: no other file of that name is ever replaced or removed. */
const MARK = '// Written by `holdfast install`; `holdfast uninstall` removes it.';

export type PluginFile =
  | { kind: 'none' }
  | { kind: 'foreign' }
  /** `source`: the marketplace folder that it names. */
  | { kind: 'ours'; text: string; source: string; plugins: readonly string[] };

export function pluginPath(env: Environment): string {
  const config = absolute(env.XDG_CONFIG_HOME) ?? path.join(homeFolder(env), '.config');
  return path.join(config, 'opencode', 'plugins', 'holdfast.js');
}

export const builtPlugin = (marketplace: string): string => path.join(marketplace, 'opencode', 'plugin.mjs');

/** As the build left it, to be filled in. */
export const readLoader = (marketplace: string): string =>
  readOwn(path.join(marketplace, 'opencode', 'loader.js'));

/** What is put in is JSON, which is JavaScript. */
export function pluginText(loader: string, marketplace: string, plugins: readonly string[]): string {
  return loader
    .replace("'@MARKETPLACE@'", () => JSON.stringify(marketplace))
    .replace("'@PLUGINS@'", () => JSON.stringify(plugins));
}

export function readPluginFile(env: Environment): PluginFile {
  const file = pluginPath(env);
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'none' };
  const text = readQuietly(file);
  const [first, ...lines] = text.split('\n');
  const source = /^const marketplace = (".*");$/m.exec(lines.join('\n'))?.[1];
  const plugins = /^const plugins = (\[.*\]);$/m.exec(lines.join('\n'))?.[1];
  if (first !== MARK || source === undefined || plugins === undefined) return { kind: 'foreign' };
  return { kind: 'ours', text, source: JSON.parse(source), plugins: JSON.parse(plugins) };
}

function readQuietly(file: string): string {
  try {
    return readOwn(file);
  } catch {
    return '';
  }
}
