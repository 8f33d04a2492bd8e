// Can a program be started by its name?

import fs from 'node:fs';
import type { Environment } from './environment.ts';
import { hasCode, isInside, realPath } from './files.ts';
import { below } from './paths.ts';

/** Relative folders of PATH are left out, as everywhere: they lead into somebody's repository. */
export function isOnPath(program: string, env: Environment): boolean {
  if (program.includes('/')) return isExecutable(program);
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return folders.some((folder) => isExecutable(below(folder, program)));
}

function isExecutable(file: string): boolean {
  try {
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The program could not be started because it is not there. Where one folder of PATH may not be searched, the system
 * says that it may not be started.
 */
export function isMissing(error: unknown, program: string, env: Environment): boolean {
  return hasCode(error, 'ENOENT', 'EACCES') && !isOnPath(program, env);
}

/** The file that a name on PATH stands for; null when there is none. Nothing below `notIn` counts: an agent writes there. */
export function findOnPath(program: string, env: Environment, notIn: string | null): string | null {
  for (const folder of (env.PATH ?? '').split(':').filter((each) => each.startsWith('/'))) {
    const file = below(folder, program);
    if (!isExecutable(file)) continue;
    const real = realPath(file);
    if (real !== null && (notIn === null || (!isInside(real, notIn) && !isInside(file, notIn)))) return file;
  }
  return null;
}
