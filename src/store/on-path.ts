// Can a program be started by its name?

import fs from 'node:fs';
import type { Environment } from './environment.ts';
import { hasCode, isInside, realPath } from './files.ts';
import { openOwn } from './open.ts';
import { below } from './paths.ts';
import { homeFolder } from './user-folders.ts';

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

/**
 * PATH without the folders that lie in the project, as an active virtual environment or `node_modules/.bin` puts them
 * there: an agent writes in them, and what we start by its name must not be of its making.
 */
export function withoutProjectOnPath(env: Environment, root: string): Environment {
  if (env.PATH === undefined) return env;
  return { ...env, PATH: foldersOnPath(env, root).outside.join(':') };
}

/** For a program that may need what is installed in the project, and starts others by their names itself. */
export function withProjectLastOnPath(env: Environment, root: string): Environment {
  if (env.PATH === undefined) return env;
  const { outside, inside } = foldersOnPath(env, root);
  return { ...env, PATH: [...outside, ...inside].join(':') };
}

/** Where the project is the user's home, or above it, what the user installed lies in it too: nothing is set apart. */
function foldersOnPath(env: Environment, root: string): { outside: string[]; inside: string[] } {
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const isOfProject = (folder: string): boolean =>
    !isInside(homeFolder(env), root) && (isInside(folder, root) || isInside(resolved(folder), root));
  return {
    outside: folders.filter((folder) => !isOfProject(folder)),
    inside: folders.filter(isOfProject),
  };
}

/** A folder that may not be searched, or a link in a circle, leads nowhere: nothing is started from it. */
function resolved(folder: string): string {
  try {
    return realPath(folder) ?? folder;
  } catch {
    return folder;
  }
}

/**
 * How a program is started by its name, so that neither it nor its interpreter, where its first line leaves that to PATH
 * too (`#!/usr/bin/env node`), is one that an agent has put into the project. Null: there is none outside of it.
 */
export function commandOutside(program: string, env: Environment, root: string): string[] | null {
  const outside = withoutProjectOnPath(env, root);
  const file = findOnPath(program, outside, null);
  if (file === null) return null;
  const [name = '', ...options] =
    /^#!\s*\/usr\/bin\/env\s+(?:-S\s*)?(.+)/.exec(beginningOf(file))?.[1]?.trim().split(/\s+/) ?? [];
  const interpreter = name === '' ? null : findOnPath(name, outside, null);
  return interpreter === null ? [file] : [interpreter, ...options, file];
}

/** Of a program, whose first line may name its interpreter. */
function beginningOf(file: string): string {
  const descriptor = openOwn(file);
  if (descriptor === null) return '';
  try {
    const bytes = Buffer.alloc(256);
    return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    fs.closeSync(descriptor);
  }
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
