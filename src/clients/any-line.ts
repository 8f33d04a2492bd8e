// A transcript line of a host we do not know: hosts take over each other's formats, so the first known client that
// gets something out of the line reads it.

import { fingerprint } from '../store/fingerprint.ts';
import { claudeCode } from './claude-code/index.ts';
import type { LineReader, TranscriptLine } from './client.ts';
import { parseObject } from './fields.ts';

export function readAnyLine(line: string, readers: readonly LineReader[]): TranscriptLine | null {
  let plain: TranscriptLine | null = null;
  for (const read of readers) {
    const found = read(line);
    if (found !== null && (found.said !== null || found.toolCall || found.startsTurn)) return found;
    plain ??= found;
  }
  return plain ?? readBareLine(line);
}

/** Claude Code's line with nothing but what was said: a host that imitates it may leave out its ids. */
function readBareLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  if (entry === null || 'uuid' in entry || (entry.type !== 'assistant' && entry.type !== 'user')) return null;
  const marker = fingerprint(line);
  return claudeCode.readTranscriptLine(
    JSON.stringify({ ...entry, uuid: marker, message: messageOf(entry, marker) }),
  );
}

function messageOf(entry: Readonly<Record<string, unknown>>, marker: string): object {
  const message = entry.message;
  const own = typeof message === 'object' && message !== null ? message : {};
  const text = 'content' in own && typeof own.content === 'string' ? own.content : null;
  const content = text === null || entry.type === 'user' ? {} : { content: [{ type: 'text', text }] };
  return { id: marker, ...own, ...content };
}
