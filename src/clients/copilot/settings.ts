// What Copilot CLI leaves of us in the user's settings when its plugins are taken out (1.0.102): each of them switched
// off by name, and empty objects. They go too, and nothing else of the file.

import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { realPath, replaceFile } from '../../store/files.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { homeFolder } from '../../store/user-folders.ts';
import { isOurs } from '../install/marketplace.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What it cannot read it leaves as it is. */
export function tidySettings(env: Environment): void {
  const file = realPath(path.join(homeFolder(env), '.copilot', 'settings.json'));
  const settings = file === null ? undefined : parseJson(readOwn(file));
  if (file === null || !isObject(settings)) return;
  const tidy = withoutUs(settings);
  if (JSON.stringify(tidy) === JSON.stringify(settings)) return;
  replaceFile(file, `${JSON.stringify(tidy, null, 2)}\n`, path.dirname(file));
}

export function withoutUs(settings: Settings): Settings {
  const { enabledPlugins, extraKnownMarketplaces, ...rest } = settings;
  return {
    ...rest,
    ...kept('enabledPlugins', enabledPlugins, (id, value) => isOurs(id) && value === false),
    ...kept('extraKnownMarketplaces', extraKnownMarketplaces, () => false),
  };
}

/** Nothing where nothing is left. */
function kept(name: string, value: unknown, isLeftover: (key: string, value: unknown) => boolean): Settings {
  if (!isObject(value)) return value === undefined ? {} : { [name]: value };
  const left = Object.entries(value).filter(([key, each]) => !isLeftover(key, each));
  return left.length === 0 ? {} : { [name]: Object.fromEntries(left) };
}
