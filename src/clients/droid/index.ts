// Factory's Droid, as 0.225.2 behaves: it takes Claude Code's plugins. Its payload names the last message without
// its text, which is in the transcript when the hook starts. Stop is also fired after an API error.

import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { nameField } from '../fields.ts';
import { passedLimit } from '../hook-limit.ts';
import { readTranscriptLine } from './transcript.ts';

export const droid: Client = {
  name: 'droid',
  title: 'Droid',
  // Nor is any mark of its shell known: in the shell of another client, that one's session is taken for its own.
  sessionVariables: [],
  recognises: isFromDroid,
  decode(payload) {
    const ended = nameField(payload, 'message_id');
    return { ...decodeCommon(payload, 'droid'), ...(ended === null ? {} : { endMark: ended }) };
  },
  encode: encodeAnswer,
  readTranscriptLine,
  mustBeHeard: { lags: false },
  hookLimit: passedLimit,
  work: () => import('./work.ts').then((module) => module.work),
  install: {
    program: 'droid',
    projectScope: false,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'droid',
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

/** At a session's start it sends the name of Claude Code's file for variables as a field. */
export function isFromDroid(payload: Payload): boolean {
  if ('prompt_id' in payload || 'turn_id' in payload || 'timestamp' in payload) return false;
  const own = ['tool_execution_count', 'CLAUDE_ENV_FILE', 'message_id'];
  return 'permission_mode' in payload && own.some((name) => name in payload);
}
