// The user's own folders as the environment names them. A relative value counts as unset: it would lead into the
// folder the agent works in, and what lies there may be somebody else's. For XDG_* their specification says so too.

import os from 'node:os';
import path from 'node:path';
import type { Environment } from './environment.ts';

export function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** Not os.homedir(): that gives HOME back as it is. */
export function homeFolder(env: Environment): string {
  return absolute(env.HOME) ?? os.userInfo().homedir;
}

export function tempFolder(): string {
  return absolute(os.tmpdir()) ?? '/tmp';
}
