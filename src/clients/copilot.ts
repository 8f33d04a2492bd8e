// GitHub Copilot CLI, as 1.0.102 behaves: it loads Claude Code's plugins and settings, and fires their Stop hooks.
// Its payload holds no message, and its transcript is written 39 to 69 ms after the hook has started.

import type { Client, Payload, TranscriptLine } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { nameField, objectField, objectsField, parseObject, textField, writtenAt } from './fields.ts';
import { passedLimit } from './hook-limit.ts';

export const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  sessionVariables: ['COPILOT_AGENT_SESSION_ID'],
  recognises,
  decode(payload) {
    const stop = decodeCommon(payload, 'copilot');
    const ended = endMarkOf(payload.timestamp);
    return {
      ...stop,
      transcriptPath: stop.transcriptPath ?? nameField(payload, 'transcriptPath'),
      ...(ended === null ? {} : { endMark: ended }),
    };
  },
  encode: encodeAnswer,
  readTranscriptLine,
  mustBeHeard: { lags: true },
  hookLimit: passedLimit,
};

/** Its events have a time but no permission mode; Gemini's have too, but always with a transcript and no such field. */
function recognises(payload: Payload): boolean {
  if (!('timestamp' in payload) || 'permission_mode' in payload || 'prompt_id' in payload) return false;
  const own = ['stop_reason', 'stopReason', 'initial_prompt', 'initialPrompt', 'custom_instructions'];
  return own.some((name) => name in payload) || !('transcript_path' in payload);
}

/** The transcript notes the moment at which the hook was started, in milliseconds; a Stop payload as a date. */
function endMarkOf(timestamp: unknown): string | null {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof time === 'number' && Number.isFinite(time) ? String(time) : null;
}

function readTranscriptLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  const marker = entry && textField(entry, 'id');
  const data = entry && objectField(entry, 'data');
  if (!entry || !marker || !data) return null;
  const nothing: TranscriptLine = {
    ...{ marker, toolCall: false, startsTurn: false, said: null },
    ...writtenAt(entry),
  };
  // A subagent's events name the call that started it.
  if (textField(data, 'parentToolCallId') !== null) return nothing;
  switch (entry.type) {
    case 'user.message':
      return { ...nothing, startsTurn: true };
    case 'session.compaction_complete':
      return { ...nothing, startsTurn: true, startedBy: 'background' };
    case 'assistant.message':
      return { ...nothing, toolCall: callsTool(data), said: textOf(data, marker) };
    case 'hook.start':
      return { ...nothing, ...hookStart(data) };
    default:
      // Among them `model.*`, which repeat what was said, summaries included.
      return nothing;
  }
}

function hookStart(data: Payload): Pick<TranscriptLine, 'endMark'> {
  const mark = endMarkOf(objectField(data, 'input')?.timestamp);
  return data.hookType === 'agentStop' && mark !== null ? { endMark: mark } : {};
}

/** Tools that only keep the agent's list or headline: calling them is no work. */
const bookkeeping = new Set(['update_todo', 'report_intent']);

function callsTool(data: Payload): boolean {
  return objectsField(data, 'toolRequests').some((call) => !bookkeeping.has(textField(call, 'name') ?? ''));
}

function textOf(data: Payload, marker: string): TranscriptLine['said'] {
  const text = textField(data, 'content');
  return text === null ? null : { messageId: textField(data, 'messageId') ?? marker, text };
}
