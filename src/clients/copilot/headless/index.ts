// Copilot CLI without a terminal (1.0.102), as `holdfast run` drives it: a process for each prompt, in a session whose id
// we choose.

import { below } from '../../../store/paths.ts';
import { clientEnvironment } from '../../headless/environment.ts';
import { hasPrompt } from '../../headless/first-lines.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { isPlainId } from '../../start-folder.ts';
import { copilotFolder } from '../folder.ts';
import { readTranscriptLine } from '../transcript.ts';
import { commandLine } from './command.ts';
import { CopilotReader } from './events.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: true,
  callsByName: true,
  canResume(session, { env }) {
    if (!isPlainId(session)) return false;
    const transcript = below(copilotFolder(env), `session-state/${session}/events.jsonl`);
    return hasPrompt(transcript, readTranscriptLine);
  },
  start(how) {
    const { write: _, ...client } = startClient({
      program: 'copilot',
      args: commandLine(how),
      root: how.root,
      clientEnv: clientEnvironment(how.env, clients),
      env: how.env,
      reader: new CopilotReader(),
      input: { text: how.prompt, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};
