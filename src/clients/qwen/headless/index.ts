// Qwen Code without a terminal (0.24.4), as `holdfast run` drives it: a process for each prompt, in a session whose id we
// choose.

import fs from 'node:fs';
import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { absolute } from '../../../store/user-folders.ts';
import { clientEnvironment } from '../../headless/environment.ts';
import { hasPrompt } from '../../headless/first-lines.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { isPlainId, namesIn } from '../../start-folder.ts';
import { qwenFolder } from '../folder.ts';
import { readTranscriptLine } from '../transcript.ts';
import { commandLine } from './command.ts';
import { QwenReader } from './events.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: true,
  callsByName: true,
  canResume(session, { env }) {
    const transcript = transcriptOf(session, env);
    return transcript !== null && hasPrompt(transcript, readTranscriptLine);
  },
  start(how) {
    const { write: _, ...client } = startClient({
      program: 'qwen',
      args: commandLine(how),
      root: how.root,
      clientEnv: clientEnvironment(how.env, clients),
      env: how.env,
      reader: new QwenReader(),
      input: { text: how.prompt, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};

/**
 * In `projects/<start folder>/chats/<session>.jsonl`. Without the file `--resume` fails; with a session's id that has one,
 * `--session-id` does.
 */
function transcriptOf(session: string, env: Environment): string | null {
  if (!isPlainId(session)) return null;
  const projects = below(absolute(env.QWEN_RUNTIME_DIR) ?? qwenFolder(env), 'projects');
  const files = namesIn(projects).map((name) => below(projects, `${name}/chats/${session}.jsonl`));
  return files.find((file) => fs.existsSync(file)) ?? null;
}
