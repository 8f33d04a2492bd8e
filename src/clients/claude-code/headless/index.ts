// Claude Code without a terminal (2.1.325), as `holdfast run` drives it: one process for a whole session.

import fs from 'node:fs';
import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { absolute, homeFolder } from '../../../store/user-folders.ts';
import { clientEnvironment } from '../../headless/environment.ts';
import { firstLines } from '../../headless/first-lines.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { isPlainId, namesIn } from '../../start-folder.ts';
import { commandLine, promptLine } from './command.ts';
import { ClaudeReader } from './events.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: true,
  canResume: (session, { env }) => hasPrompt(session, env),
  start(how) {
    const { write, ...client } = startClient({
      program: 'claude',
      args: commandLine(how),
      root: how.root,
      clientEnv: clientEnvironment(how.env, clients),
      env: how.env,
      reader: new ClaudeReader(),
      input: { text: promptLine(how.prompt), open: true },
      ending: __filename,
    });
    return { ...client, send: (prompt) => write(promptLine(prompt)) };
  },
};

/**
 * `projects/<start folder>/<session>.jsonl` with a prompt in it. Without the file `--resume` fails; with a session's id
 * that has one, `--session-id` does.
 */
function hasPrompt(session: string, env: Environment): boolean {
  const home = absolute(env.CLAUDE_CONFIG_DIR) ?? below(homeFolder(env), '.claude');
  if (!isPlainId(session)) return false;
  const projects = below(home, 'projects');
  const file = namesIn(projects)
    .map((name) => below(projects, `${name}/${session}.jsonl`))
    .find((name) => fs.existsSync(name));
  return file !== undefined && firstLines(file).some((line) => line.includes('"type":"user"'));
}
