// Who reviews where Claude Code is not installed and the user chose nobody: the first program that is there.

import type { Environment } from '../store/environment.ts';
import { isOnPath, withoutProjectOnPath } from '../store/on-path.ts';
import { CLAUDE, programs } from './programs.ts';

/** Null: nobody need stand in, or nobody can. */
export function standInOn(asked: Environment, root: string): string | null {
  const env = withoutProjectOnPath(asked, root);
  if (isOnPath(CLAUDE, env)) return null;
  return programs.find(({ name }) => isOnPath(name, env))?.name ?? null;
}
