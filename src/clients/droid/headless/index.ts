// Droid without a terminal (0.225.2), as `holdfast run` drives it: a process for each prompt, each further one in a fork of
// the session before.

import { clientEnvironment } from '../../headless/environment.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { commandLine } from './command.ts';
import { DroidReader } from './events.ts';
import { hasPrompt } from './sessions.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  choosesSession: false,
  forks: true,
  noEdit:
    'Droid takes its agent’s word for how much a command may do, and its sandbox keeps our hook from its own notes, so that nothing keeps it to editing.',
  canResume: (session, { env }) => hasPrompt(session, env),
  start(how) {
    const { root, env } = how;
    // Refused before anything is started; no more than this is known here.
    if (how.access !== 'full') throw new Error('Droid is driven with full access alone');
    const { write: _, ...client } = startClient({
      program: 'droid',
      args: commandLine(how),
      root,
      clientEnv: clientEnvironment(env, clients),
      env,
      reader: new DroidReader(),
      input: { text: how.prompt, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};
