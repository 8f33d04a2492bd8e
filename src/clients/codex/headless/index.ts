// Codex without a terminal (0.166.0), as `holdfast run` drives it: `exec` for the first prompt of a session, `exec
// resume` for each further one.

import { clientEnvironment } from '../../headless/environment.ts';
import { firstLines } from '../../headless/first-lines.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { rolloutOf } from '../rollouts.ts';
import { readTranscriptLine } from '../transcript.ts';
import { commandLine } from './command.ts';
import { CodexReader } from './events.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: false,
  canResume(session, { env }) {
    const rollout = rolloutOf(session, env);
    return rollout !== null && firstLines(rollout).some(isPrompt);
  },
  start(how) {
    const { write: _, ...client } = startClient({
      program: 'codex',
      args: commandLine(how),
      root: how.root,
      clientEnv: clientEnvironment(how.env, clients),
      env: how.env,
      reader: new CodexReader(),
      input: { text: how.prompt, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};

/** A kill at the very start leaves a rollout without the prompt; the client's own context stands there as a user's row. */
function isPrompt(line: string): boolean {
  const read = line.includes('"user"') ? readTranscriptLine(line) : null;
  return read?.startsTurn === true && read.startedBy !== 'background';
}
