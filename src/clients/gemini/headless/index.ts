// Gemini CLI without a terminal (0.61.0), as `holdfast run` drives it: a process for each prompt of a session.

import fs from 'node:fs';
import type { Environment } from '../../../store/environment.ts';
import { below } from '../../../store/paths.ts';
import { shellQuote } from '../../../text/shell.ts';
import { clientEnvironment } from '../../headless/environment.ts';
import { ownFile } from '../../headless/own-file.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless, StartHow } from '../../headless.ts';
import { clients } from '../../index.ts';
import { geminiFolder } from '../folder.ts';
import { commandLine } from './command.ts';
import { GeminiReader } from './events.ts';
import { policyFor } from './policy.ts';
import { hasPrompt } from './sessions.ts';

/** For the watcher, which loads this file as it was built. */
export { endProgram } from '../../../processes/end.ts';

export const headless: Headless = {
  // It would take an id, but its agent's shell knows none: whose a run is its SessionStart tells.
  choosesSession: false,
  canResume: (session, { root, env }) => hasPrompt(session, root, env),
  start(how) {
    const { write: _, ...client } = startClient({
      program: 'gemini',
      args: commandLine(how, how.access === 'full' ? [] : policies(how)),
      root: how.root,
      clientEnv: clientEnvironment(how.env, clients),
      env: how.env,
      reader: new GeminiReader(),
      input: { text: how.prompt, open: false },
      ending: __filename,
    });
    return { ...client, send: () => false };
  },
};

/** Naming one leaves out the user's own folder of them, unless that is named too. */
function policies({ env, allowed, commands }: StartHow): string[] {
  const users = below(geminiFolder(env), 'policies');
  const ours = ownFile(env, 'policy.toml', policyFor([...allowed, ...copies(env, commands)]));
  return [ours, ...(fs.existsSync(users) ? [users] : [])];
}

/** Its extensions are copies, and what the agent reads there names the copy's own command. */
function copies(env: Environment, commands: readonly string[]): string[] {
  const own = below(geminiFolder(env), 'extensions/holdfast/bin/holdfast');
  return fs.existsSync(own) ? commands.map((words) => `${shellQuote(own)} ${words}`) : [];
}
