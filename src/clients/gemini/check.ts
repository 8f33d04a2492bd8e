// What `doctor` says of Gemini CLI: are the extensions installed in it, will it run the hooks, is its copy up to date.

import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { homeFolder } from '../../store/user-folders.ts';
import { CORE, ownFolder, readMarketplace } from '../install/marketplace.ts';
import { type ClientFinding, notInstalled } from '../installer.ts';
import type { GeminiState } from './extensions.ts';

export function judgeGemini(state: GeminiState, env: Environment, cli: string): ClientFinding[] {
  const about = `Gemini CLI ${state.version}`;
  const fix = `${cli} install --client gemini`;
  const core = state.extensions.find(({ name }) => name === CORE);
  if (core === undefined) return [notInstalled(about, fix)];
  const off = state.extensions.filter(({ isActive }) => !isActive);
  if (off.length > 0)
    return off.map(({ name }) => ({ result: 'bad', what: `${about}: ${name} is switched off`, fix }));
  if (core.hooks?.AfterAgent === undefined)
    return [{ result: 'bad', what: `${about}: the hooks of the extension did not load`, fix }];
  const silenced = settingsWithoutHooks(env);
  if (silenced !== null)
    return [
      {
        result: 'bad',
        what: `${about} runs no hooks at all: ${silenced} switches them off`,
        fix: `remove "enabled": false from "hooksConfig" in ${silenced}`,
      },
    ];
  return [
    { result: 'good', what: `${about}: the extension is installed and loaded`, fix: null },
    ...checkCopy(core.version, about, fix),
  ];
}

function settingsWithoutHooks(env: Environment): string | null {
  const file = path.join(homeFolder(env), '.gemini', 'settings.json');
  const settings = parseJson(readQuietly(file));
  const hooks = isObject(settings) ? settings.hooksConfig : undefined;
  return isObject(hooks) && hooks.enabled === false ? file : null;
}

function readQuietly(file: string): string {
  try {
    return readOwn(file);
  } catch {
    return '';
  }
}

/** Gemini CLI runs a copy, which a newer Holdfast does not reach by itself. */
function checkCopy(version: string, about: string, fix: string): ClientFinding[] {
  const own = readMarketplace(ownFolder());
  if (own === null || version === own.version) return [];
  return [{ result: 'fair', what: `${about} runs Holdfast ${version}, and this is ${own.version}`, fix }];
}
