// Is the `holdfast` that a shell finds on PATH ours? Then people are told that short name in place of a path.

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from './environment.ts';
import { realPath } from './files.ts';
import { findOnPath } from './on-path.ts';
import { readOwn } from './open.ts';

export const OUR_NAME = 'holdfast';

/** The second line of the script that `holdfast install` writes. */
export const SCRIPT_MARK = '# Written by `holdfast install`; `holdfast uninstall` removes it.';

export function isOursByName(env: Environment): boolean {
  const file = findOnPath(OUR_NAME, env, null);
  return file !== null && (isOwnScript(file) || isPluginCommand(file));
}

export function isOwnScript(file: string): boolean {
  try {
    return fs.lstatSync(file).isFile() && readOwn(file).split('\n', 2)[1] === SCRIPT_MARK;
  } catch {
    return false;
  }
}

/** Is it `bin/holdfast` of a plugin folder of ours? By whatever links, or in that very folder. */
export function isPluginCommand(file: string, folder: string | null = null): boolean {
  const real = realPath(file);
  if (folder !== null && real !== null && path.dirname(real) !== realPath(folder)) return false;
  if (real === null || path.basename(real) !== OUR_NAME) return false;
  return fs.existsSync(path.resolve(real, '..', '..', 'lib', 'entry.cjs'));
}
