// Gemini CLI, as 0.61.0 behaves. Its AfterAgent hook is our stop. `prompt_response` joins everything said since the
// user's prompt, across holds, so an old signal stays in it: only the transcript tells what was said last.
// Any exit code but 0 and 1 goes on there, whatever is printed.

import { fingerprint } from '../store/fingerprint.ts';
import type { Client, Payload, TranscriptLine } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { objectField, objectsField, parseObject, saidIn, textField, writtenAt } from './fields.ts';
import { passedLimit } from './hook-limit.ts';

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  sessionVariables: [],
  shellMark: 'GEMINI_CLI=1',
  recognises,
  decode(payload) {
    // A hold that comes after Esc is honoured, and fires the hook again with these words.
    const cancelled = payload.prompt_response === '[no response text]';
    return { ...decodeCommon(payload, 'gemini'), lastMessage: null, ...(cancelled ? { failed: true } : {}) };
  },
  encode: encodeAnswer,
  readTranscriptLine,
  mustBeHeard: { lags: false },
  hookLimit: passedLimit,
};

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

function readTranscriptLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  if (!entry) return null;
  const nothing: TranscriptLine = {
    marker: fingerprint(line),
    toolCall: false,
    startsTurn: false,
    said: null,
    ...writtenAt(entry),
  };
  // Compaction and resuming write the whole conversation again, as one line.
  const set = objectField(entry, '$set');
  if (set)
    return Array.isArray(set.messages) ? { ...nothing, startsTurn: true, startedBy: 'background' } : null;
  const id = textField(entry, 'id');
  if (id === null || 'uuid' in entry || !('content' in entry)) return null;
  const parts = objectsField(entry, 'content');
  if (entry.type === 'user')
    return { ...nothing, startsTurn: !parts.some((part) => 'functionResponse' in part) };
  if (entry.type !== 'gemini') return null;
  // Written a second time, under the same id, once its tools have run.
  return { ...nothing, toolCall: callsTool(entry), said: textOf(entry, parts, id) };
}

function callsTool(entry: Payload): boolean {
  return objectsField(entry, 'toolCalls').some((call) => textField(call, 'name') !== 'write_todos');
}

function textOf(entry: Payload, parts: readonly Payload[], id: string): TranscriptLine['said'] {
  const texts = [textField(entry, 'content'), ...parts.map((part) => textField(part, 'text'))];
  return saidIn(
    id,
    texts.filter((text) => text !== null),
  );
}
