// What the lines of Droid's transcript say (0.225.2): Claude Code's blocks in an envelope of its own.

import type { Payload, TranscriptLine } from '../client.ts';
import { objectField, objectsField, parseObject, saidIn, textField, writtenAt } from '../fields.ts';

export function readTranscriptLine(line: string): TranscriptLine | null {
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
