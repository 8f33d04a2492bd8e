// Gemini CLI, as 0.61.0 behaves. Its AfterAgent hook is our stop. `prompt_response` joins everything said since the
// user's prompt, across holds, so an old signal stays in it: what was said last, the transcript tells, or else what follows the text known from the
// last stop of the same prompt (after its loop detection the transcript has no answer).
// Any exit code but 0 and 1 goes on there, whatever is printed. A run started in its shell comes to the session by ticket.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { textField } from '../fields.ts';
import { limitInMilliseconds } from '../hook-limit.ts';
import type { Stop } from '../stop.ts';
import { readTranscriptLine } from './transcript.ts';

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  sessionVariables: [],
  shellMark: 'GEMINI_CLI=1',
  startVariable: 'GEMINI_PROJECT_DIR',
  hookVariables: ['GEMINI_SESSION_ID', 'GEMINI_PLANS_DIR', 'GEMINI_CWD', 'GEMINI_CLI_NO_RELAUNCH'],
  recognises,
  decode(payload) {
    // A hold that comes after Esc is honoured, and fires the hook again with these words.
    const cancelled = payload.prompt_response === '[no response text]';
    return {
      ...{ ...decodeCommon(payload, 'gemini'), lastMessage: null },
      ...(cancelled ? { failed: true } : saidSincePrompt(payload)),
    };
  },
  // It shows no notice of an answer that wants its output suppressed.
  encode: (answer) => encodeAnswer(answer.kind === 'allow' ? { ...answer, suppressOutput: false } : answer),
  readTranscriptLine,
  marksCompaction: true,
  // After its loop detection or its limit of turns it takes a hold, asks no model and fires the hook again.
  mustBeHeard: { lags: false, skipsTurns: true },
  usage: () => import('./usage.ts').then(({ usage }) => usage),
  work: () => import('./work.ts').then(({ work }) => work),
  hookLimit: limitInMilliseconds,
  install: {
    program: 'gemini',
    projectScope: false,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'gemini',
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

function saidSincePrompt(payload: Payload): Pick<Stop, 'saidSincePrompt'> {
  const text = textField(payload, 'prompt_response');
  const prompt = fingerprint(textField(payload, 'prompt') ?? '');
  return text === null ? {} : { saidSincePrompt: { prompt, text } };
}

const events = new Set([
  ...['BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection'],
  ...['BeforeTool', 'AfterTool', 'PreCompress'],
]);

/** Of the events whose names others use too: a time, a transcript, and none of what Copilot and Qwen send beside them. */
function recognises(payload: Payload): boolean {
  if ('permission_mode' in payload || 'prompt_id' in payload) return false;
  if (events.has(textField(payload, 'hook_event_name') ?? '')) return true;
  const shared = payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'SessionEnd';
  return shared && 'timestamp' in payload && 'transcript_path' in payload && !('initial_prompt' in payload);
}
