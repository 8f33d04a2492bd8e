// Qwen Code, as 0.24.4 behaves: it takes Claude Code's plugins as extensions and sends Claude's fields and a few
// more. The final message is in its transcript when the hook starts; our holds are not written there.

import type { Client, Payload, TranscriptLine } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { nameField, objectField, objectsField, saidIn, textField } from './fields.ts';
import { readUuidLine } from './uuid-line.ts';

export const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  sessionVariables: ['QWEN_CODE_SESSION_ID'],
  recognises: isFromQwen,
  decode: (payload) => ({ ...decodeCommon(payload, 'qwen'), turn: nameField(payload, 'prompt_id') }),
  encode: encodeAnswer,
  readTranscriptLine,
  mustBeHeard: { lags: false },
  hookLimit,
};

/** Claude Code's own fields are no mark: Qwen sends them too. Claude Code sends `session_crons` and never a time. */
export function isFromQwen(payload: Payload): boolean {
  if ('session_crons' in payload) return false;
  return 'crons' in payload || ('timestamp' in payload && 'permission_mode' in payload);
}

/** From 1000 on it reads a hook's timeout as milliseconds: our 7200 s are 7.2 s there. */
function hookLimit(passed: number | null): number | null {
  return passed !== null && passed >= 1000 ? passed / 1000 : passed;
}

function readTranscriptLine(line: string): TranscriptLine | null {
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
