// Can a program be started by its name?

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from './environment.ts';
import { hasCode } from './files.ts';

/** As the runner looks for it: `command -v` in the shell that runs this command is the agent's own. */
export function isOnPath(program: string, env: Environment): boolean {
  return (env.PATH ?? '').split(':').some((folder) => {
    const file = path.join(folder === '' ? '.' : folder, program);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * The program could not be started because it is not there. Where one folder of PATH may not be searched, the system
 * says that it may not be started.
 */
export function isMissing(error: unknown, program: string, env: Environment): boolean {
  return hasCode(error, 'ENOENT', 'EACCES') && !isOnPath(program, env);
}
