// Where Gemini CLI keeps its own files (0.61.0).

import type { Environment } from '../../store/environment.ts';
import { below } from '../../store/paths.ts';
import { absolute, homeFolder } from '../../store/user-folders.ts';

export function geminiFolder(env: Environment): string {
  return below(absolute(env.GEMINI_CLI_HOME) ?? homeFolder(env), '.gemini');
}
