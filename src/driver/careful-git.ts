// What git is told in the shell of an agent that may edit files and call git, but run nothing else: an edit must not become
// a command.

import type { Environment } from '../store/environment.ts';

/** A folder that only looks like a repository has settings of whoever wrote it; a file watcher is a program. */
const SETTINGS = { 'safe.bareRepository': 'explicit', 'core.fsmonitor': 'false' };

/** Beside what the user says in the same way. */
export function carefulGit(env: Environment): Environment {
  const known = Number(env.GIT_CONFIG_COUNT ?? 0);
  const first = Number.isSafeInteger(known) && known >= 0 ? known : 0;
  const pairs = Object.entries(SETTINGS).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + Object.keys(SETTINGS).length) };
}
