// A transcript line as Claude Code writes it and Qwen Code took it over: a `uuid`, a message, and perhaps another agent's.

import type { Payload, TranscriptLine } from './client.ts';
import { objectField, parseObject, textField, writtenAt } from './fields.ts';

export type UuidLine = {
  entry: Payload;
  /** Null: nothing of this agent's. */
  message: Payload | null;
  /** What the line says before anybody looked at its message. */
  nothing: TranscriptLine;
};

/** Null: a note of the client's own. */
export function readUuidLine(line: string): UuidLine | null {
  if (!line.includes('"uuid"')) return null;
  const entry = parseObject(line);
  const marker = entry && textField(entry, 'uuid');
  if (!entry || !marker) return null;
  const nothing: TranscriptLine = {
    marker,
    toolCall: false,
    startsTurn: false,
    said: null,
    ...writtenAt(entry),
  };
  const message = entry.isSidechain === true ? null : objectField(entry, 'message');
  return { entry, message, nothing };
}
