// opencode without a terminal (1.18.33), as `holdfast run` drives it: a process for each prompt of a session. Our plugin in
// it makes the run the session's, and keeps what tells that a session can be gone on with.

import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { userStateFolder } from '../../../store/user-state.ts';
import { clientEnvironment } from '../../headless/environment.ts';
import { firstLines } from '../../headless/first-lines.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { readTranscriptLine } from '../transcript.ts';
import { call } from './command.ts';
import { OpencodeReader } from './events.ts';
import { permissionsFor } from './permissions.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: false,
  canResume: (session, { env }) => hasPrompt(session, env),
  start(how) {
    const { args, input } = call(how);
    const clientEnv = clientEnvironment(how.env, clients);
    const rules = how.access === 'full' ? {} : { OPENCODE_PERMISSION: permissionsFor(how.allowed) };
    const { write: _, ...client } = startClient({
      program: 'opencode',
      args,
      root: how.root,
      clientEnv: { ...clientEnv, ...rules },
      env: how.env,
      reader: new OpencodeReader(),
      input: { text: input, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};

/**
 * Its sessions lie in a database; the plugin's own file is there as soon as opencode has a prompt. Only the newest lines
 * are kept in it, so that the prompt itself may be gone.
 */
function hasPrompt(session: string, env: Environment): boolean {
  if (!/^[\w-]{1,100}$/.test(session)) return false;
  const lines = firstLines(below(userStateFolder(env), `opencode/${session}.jsonl`));
  return lines.some((line) => readTranscriptLine(line) !== null);
}
