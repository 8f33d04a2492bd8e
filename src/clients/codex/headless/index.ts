// Codex without a terminal (0.166.0), as `holdfast run` drives it: `exec` for the first prompt of a session, `exec
// resume` for each further one.

import fs from 'node:fs';
import { clientEnvironment } from '../../headless/environment.ts';
import { startClient } from '../../headless/start.ts';
import type { Headless } from '../../headless.ts';
import { clients } from '../../index.ts';
import { reading } from '../../start-folder.ts';
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
    return rollout !== null && reading(rollout, firstPrompt) !== null;
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

const HEAD = 1024 * 1024;

/** A kill at the very start leaves a rollout without the prompt; the client's own context stands there as a user's row. */
function firstPrompt(descriptor: number): string | null {
  const head = Buffer.alloc(HEAD);
  const count = fs.readSync(descriptor, head, 0, HEAD, 0);
  const lines = head.toString('utf8', 0, count).split('\n');
  return lines.find((line) => isPrompt(line)) ?? null;
}

function isPrompt(line: string): boolean {
  const read = line.includes('"user"') ? readTranscriptLine(line) : null;
  return read?.startsTurn === true && read.startedBy !== 'background';
}
