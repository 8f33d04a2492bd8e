// Where Copilot CLI keeps its sessions (1.0.102).

import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';

export function copilotFolder(env: Environment): string {
  return absolute(env.COPILOT_HOME) ?? path.join(homeFolder(env), '.copilot');
}
