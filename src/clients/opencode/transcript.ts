// The lines that our plugin in opencode writes: one for each prompt, text, tool that ran, and step's tokens.

import type { Payload, TranscriptLine } from '../client.ts';
import { parseObject, saidIn, textField } from '../fields.ts';

/** Its list of things to do is no work. */
const bookkeeping = new Set(['todowrite', 'todoread']);

export function readTranscriptLine(line: string): TranscriptLine | null {
  if (!line.includes('"opencode"')) return null;
  const entry = parseObject(line);
  const marker = entry && textField(entry, 'id');
  if (!entry || !marker || entry.opencode !== 1) return null;
  return {
    marker,
    toolCall: entry.kind === 'tool' && !bookkeeping.has(textField(entry, 'tool') ?? ''),
    startsTurn: entry.kind === 'user',
    said: entry.kind === 'text' ? saidOf(entry) : null,
    ...timeOf(entry),
  };
}

function saidOf(entry: Payload): TranscriptLine['said'] {
  const text = textField(entry, 'text');
  const message = textField(entry, 'message');
  return text === null || message === null ? null : saidIn(message, [text]);
}

export function timeOf(entry: Payload): Pick<TranscriptLine, 'at'> {
  const at = Date.parse(textField(entry, 'at') ?? '');
  return Number.isNaN(at) ? {} : { at };
}
