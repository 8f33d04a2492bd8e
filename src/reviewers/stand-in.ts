// Who reviews where Claude Code is not installed and the user chose nobody: the first program that is there.

import type { Environment } from '../store/environment.ts';
import { isOnPath } from '../store/on-path.ts';
import { CLAUDE, programs } from './programs.ts';

/** Null: nobody need stand in, or nobody can. */
export function standInOn(env: Environment): string | null {
  if (isOnPath(CLAUDE, env)) return null;
  return programs.find(({ name }) => isOnPath(name, env))?.name ?? null;
}
