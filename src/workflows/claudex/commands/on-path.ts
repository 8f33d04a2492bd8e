// Can a program be started by its name?

import fs from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../store/environment.ts';

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
