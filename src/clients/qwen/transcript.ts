// A line of Qwen Code's transcript (0.24.4): Claude Code's frame around Gemini's parts. Our holds are not written there.

import type { Payload, TranscriptLine } from '../client.ts';
import { objectField, objectsField, saidIn, textField } from '../fields.ts';
import { readUuidLine } from '../uuid-line.ts';

export function readTranscriptLine(line: string): TranscriptLine | null {
  const read = readUuidLine(line);
  if (read === null) return null;
  const { entry, message, nothing } = read;
  if (message === null) return nothing;
  const parts = objectsField(message, 'parts');
  if (entry.type === 'user') {
    const by = entry.provenance === 'real_user' ? ({ startedBy: 'person' } as const) : {};
    return parts.length > 0 ? { ...nothing, startsTurn: true, ...by } : nothing;
  }
  if (entry.type !== 'assistant') return nothing;
  return { ...nothing, toolCall: parts.some(callsTool), said: textOf(parts, nothing.marker) };
}

/** Tools that only keep the agent's list and goal: calling them is no work. */
const bookkeeping = new Set(['todo_write', 'get_goal', 'update_goal']);

function callsTool(part: Payload): boolean {
  const call = objectField(part, 'functionCall');
  return call !== null && !bookkeeping.has(textField(call, 'name') ?? '');
}

function textOf(parts: readonly Payload[], marker: string): TranscriptLine['said'] {
  const texts = parts
    .filter((part) => part.thought !== true)
    .map((part) => textField(part, 'text'))
    .filter((text) => text !== null);
  return saidIn(marker, texts);
}
