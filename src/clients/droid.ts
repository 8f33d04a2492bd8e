// Factory's Droid, as 0.225.2 behaves: it takes Claude Code's plugins. Its payload names the last message without
// its text, which is in the transcript when the hook starts. Stop is also fired after an API error.

import type { Client, Payload, TranscriptLine } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { nameField, objectField, objectsField, parseObject, saidIn, textField, writtenAt } from './fields.ts';
import { passedLimit } from './hook-limit.ts';

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
};

/** At a session's start it sends the name of Claude Code's file for variables as a field. */
export function isFromDroid(payload: Payload): boolean {
  if ('prompt_id' in payload || 'turn_id' in payload || 'timestamp' in payload) return false;
  const own = ['tool_execution_count', 'CLAUDE_ENV_FILE', 'message_id'];
  return 'permission_mode' in payload && own.some((name) => name in payload);
}

function readTranscriptLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  const marker = entry && textField(entry, 'id');
  const message = entry && objectField(entry, 'message');
  if (!entry || !marker || !message || entry.type !== 'message') return null;
  const nothing: TranscriptLine = {
    marker,
    toolCall: false,
    startsTurn: false,
    said: null,
    endMark: marker,
    ...writtenAt(entry),
  };
  const content = objectsField(message, 'content');
  if (message.visibility === 'user_only') {
    // Notes of hooks that ran, and what went wrong with the model: the user sees them, the agent does not.
    const isNote = content.length === 0 || textField(message, 'hookEventName') !== null;
    return isNote ? nothing : { ...nothing, failed: true };
  }
  if (message.role === 'assistant')
    return { ...nothing, toolCall: content.some(callsTool), said: textOf(content, marker) };
  const isToolResult = content.some((block) => block.type === 'tool_result');
  return { ...nothing, startsTurn: message.role === 'user' && !isToolResult };
}

function callsTool(block: Payload): boolean {
  return block.type === 'tool_use' && textField(block, 'name') !== 'TodoWrite';
}

function textOf(content: readonly Payload[], marker: string): TranscriptLine['said'] {
  const texts = content
    .filter((block) => block.type === 'text')
    .map((block) => textField(block, 'text'))
    .filter((text) => text !== null);
  return saidIn(marker, texts);
}
