// Where Qwen Code keeps its settings, extensions and conversations.

import path from 'node:path';
import type { Environment } from '../../store/environment.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';

export function qwenFolder(env: Environment): string {
  return absolute(env.QWEN_HOME) ?? path.join(homeFolder(env), '.qwen');
}
