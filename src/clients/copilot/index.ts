// GitHub Copilot CLI, as 1.0.102 behaves: it loads Claude Code's plugins and settings, and fires their Stop hooks.
// Its payload holds no message, and its transcript is written 39 to 69 ms after the hook has started.

import { shellQuote } from '../../text/shell.ts';
import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { nameField } from '../fields.ts';
import { passedLimit } from '../hook-limit.ts';
import { endMarkOf, readTranscriptLine } from './transcript.ts';

/** Whatever the agent does in between; then it ends the turn without a word (1.0.102). */
const HOLDS_PER_PROMPT = 8;

export const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  sessionVariables: ['COPILOT_AGENT_SESSION_ID'],
  hookVariables: ['COPILOT_CLI', 'COPILOT_CLI_BINARY_VERSION', 'COPILOT_CLI_RESOLVED_DIST_DIR'],
  recognises,
  decode(payload) {
    const stop = decodeCommon(payload, 'copilot');
    const ended = endMarkOf(payload.timestamp);
    const { stop_hook_active: active } = payload;
    return {
      ...stop,
      transcriptPath: stop.transcriptPath ?? nameField(payload, 'transcriptPath'),
      ...(ended === null ? {} : { endMark: ended }),
      ...(typeof active === 'boolean' ? { afterHold: active } : {}),
    };
  },
  encode: encodeAnswer,
  readTranscriptLine,
  marksCompaction: true,
  mustBeHeard: { lags: true },
  hidesNotices: true,
  contextOnTop: true,
  holdsPerPrompt: { most: () => HOLDS_PER_PROMPT },
  hookLimit: passedLimit,
  usage: () => import('./usage.ts').then((module) => module.usage),
  work: () => import('./work.ts').then(({ work }) => work),
  install: {
    program: 'copilot',
    projectScope: false,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'copilot',
    allows: (denied) => `-- --allow-tool ${shellQuote(ruleFor(denied))} at the end of this command`,
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

/** Its events have a time but no permission mode; Gemini's have too, but always with a transcript and no such field. */
function recognises(payload: Payload): boolean {
  if (!('timestamp' in payload) || 'permission_mode' in payload || 'prompt_id' in payload) return false;
  const own = ['stop_reason', 'stopReason', 'initial_prompt', 'initialPrompt', 'custom_instructions'];
  return own.some((name) => name in payload) || !('transcript_path' in payload);
}

/** As its own rules are written: a command with whatever follows it, or all writing. */
function ruleFor(denied: string): string {
  return denied.startsWith('shell(') ? denied.replace(/\)$/, ':*)') : 'write';
}
