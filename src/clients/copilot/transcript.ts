// A line of Copilot CLI's transcript (1.0.102): an event, of which the messages, the prompts and our own hook are read.

import type { Payload, TranscriptLine } from '../client.ts';
import { objectField, objectsField, parseObject, textField, writtenAt } from '../fields.ts';

/** The transcript notes the moment at which the hook was started, in milliseconds; a Stop payload as a date. */
export function endMarkOf(timestamp: unknown): string | null {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof time === 'number' && Number.isFinite(time) ? String(time) : null;
}

export function readTranscriptLine(line: string): TranscriptLine | null {
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
      return { ...nothing, startsTurn: true, startedBy: 'background', compacted: true };
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
