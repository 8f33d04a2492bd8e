// What the lines of Gemini CLI's transcript say (0.61.0). A message is written a second time, under the same id, once its
// tools have run; tool results and our holds are lines of the user's.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Payload, TranscriptLine } from '../client.ts';
import { objectField, objectsField, parseObject, saidIn, textField, writtenAt } from '../fields.ts';

export function readTranscriptLine(line: string): TranscriptLine | null {
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
    return Array.isArray(set.messages)
      ? { ...nothing, startsTurn: true, startedBy: 'background', compacted: true }
      : null;
  const id = textField(entry, 'id');
  if (id === null || 'uuid' in entry || !('content' in entry)) return null;
  const parts = objectsField(entry, 'content');
  if (entry.type === 'user')
    return { ...nothing, startsTurn: !parts.some((part) => 'functionResponse' in part) };
  if (entry.type !== 'gemini') return null;
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
