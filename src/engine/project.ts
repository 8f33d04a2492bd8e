// Where the project of a stop is: the folder that holds the run files, and what goes with it.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import type { Environment } from '../store/environment.ts';
import { realPath } from '../store/files.ts';
import { below } from '../store/paths.ts';
import { absolute } from '../store/user-folders.ts';

export type Project = {
  /** Real path of the folder with the run files. */
  root: string;
  /** Our own folder in it; may not exist yet. */
  home: string;
  env: Environment;
  /** Milliseconds; the clock of the whole stop. */
  now: number;
  /** The command that runs our CLI, quoted for a shell. */
  cli: string;
  config: Config;
};

/** Folders with run files from `start` upward, nearest first, to and including the first one with `.git`. */
export function foldersWithRuns(start: string, traces: readonly string[], env: Environment): string[] {
  return wayUp(start, env).filter((folder) => hasRuns(folder, traces));
}

/** Where a new run goes: the nearest folder that has run files, else the git top level, else where we are. */
export function folderForNewRun(start: string, traces: readonly string[], env: Environment): string {
  const way = wayUp(start, env);
  const top = way.find((folder) => fs.existsSync(below(folder, '.git')));
  return way.find((folder) => hasRuns(folder, traces)) ?? top ?? way[0] ?? start;
}

/** HOME and what is above it belong to no project, unless the client was started right there. */
export function wayUp(start: string, env: Environment): string[] {
  const real = realPath(start);
  if (real === null) return [];
  const named = absolute(env.HOME);
  const home = named === undefined ? null : realPath(named);
  const way: string[] = [];
  for (let folder = real; ; folder = path.dirname(folder)) {
    if (folder !== real && home !== null && isAtOrAbove(folder, home)) return way;
    way.push(folder);
    if (fs.existsSync(below(folder, '.git')) || folder === path.dirname(folder)) return way;
  }
}

function isAtOrAbove(folder: string, home: string): boolean {
  return home === folder || home.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function hasRuns(folder: string, traces: readonly string[]): boolean {
  return traces.some((trace) => fs.existsSync(below(folder, trace)));
}
