// What `doctor` says of Qwen Code: is the extension there and whole, is it switched on here, will it run the hooks.

import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { isObject, parseJson } from '../../store/json.ts';
import { readOwn } from '../../store/open.ts';
import { CORE } from '../install/marketplace.ts';
import { type ClientFinding, notInstalled, type Surroundings } from '../installer.ts';
import type { QwenState } from './extensions.ts';
import { qwenFolder } from './folder.ts';

const activations = v.object({
  extensions: v.record(
    v.string(),
    v.object({
      name: v.string(),
      defaultActivation: v.optional(v.string()),
      workspaceOverrides: v.optional(v.record(v.string(), v.string())),
      /** Folders, `!` before one where it is off, `*` after one that stands for all below it; the last that fits counts. */
      legacyPathRules: v.optional(v.array(v.string())),
    }),
  ),
});

export function judgeQwen(state: QwenState, { cwd, env, cli }: Surroundings): ClientFinding[] {
  const about = `Qwen Code ${state.version}`;
  const fix = `${cli} install --client qwen`;
  const core = state.extensions.find(({ name }) => name === CORE);
  if (core === undefined) return [notInstalled(about, fix)];
  const bad = (what: string, how: string): ClientFinding[] => [
    { result: 'bad', what: `${about} ${what}`, fix: how },
  ];
  if (!fs.existsSync(path.join(core.folder, 'hooks', 'stop')))
    return bad('has an extension of Holdfast without its files', fix);
  const folder = qwenFolder(env);
  if (isSwitchedOff(path.join(folder, 'extension-store', 'state.json'), cwd))
    return bad('has Holdfast switched off here', `qwen extensions enable ${CORE}`);
  const settings = [path.join(folder, 'settings.json'), path.join(cwd, '.qwen', 'settings.json')];
  const silenced = settings.find(disablesHooks);
  if (silenced !== undefined)
    return bad(
      `runs no hooks at all: ${silenced} has disableAllHooks`,
      `remove disableAllHooks from ${silenced}`,
    );
  return [{ result: 'good', what: `${about}: the extension is installed`, fix: null }];
}

/** For all projects, or for this one. */
function isSwitchedOff(file: string, cwd: string): boolean {
  const read = v.safeParse(activations, readJson(file));
  if (!read.success) return false;
  const core = Object.values(read.output.extensions).find(({ name }) => name === CORE);
  const here = core?.workspaceOverrides?.[cwd];
  if (here !== undefined) return here === 'disabled';
  const rule = core?.legacyPathRules?.findLast((each) => fits(each.replace(/^!/, ''), `${cwd}/`));
  return rule?.startsWith('!') ?? core?.defaultActivation === 'disabled';
}

function fits(rule: string, folder: string): boolean {
  return rule.endsWith('*') ? folder.startsWith(rule.slice(0, -1)) : folder === rule;
}

function disablesHooks(file: string): boolean {
  const settings = readJson(file);
  return isObject(settings) && settings.disableAllHooks === true;
}

function readJson(file: string): unknown {
  try {
    return parseJson(readOwn(file));
  } catch {
    return undefined;
  }
}
