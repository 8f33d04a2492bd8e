// Reads single fields of outside JSON into types that cannot be wrong. Plain checks, no schema library:
// every stop pays for what is loaded here. What a field means is the client adapters' business.

import type { Payload, TranscriptLine } from './client.ts';

/** Text as it was sent; null when it is missing, empty or no string. */
export function textField(from: Payload, name: string): string | null {
  const value = from[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An id or a path: text that the file system can take too, so without NUL. */
export function nameField(from: Payload, name: string): string | null {
  const value = textField(from, name);
  return value?.includes('\0') ? null : value;
}

export function objectField(from: Payload, name: string): Payload | null {
  return asObject(from[name]);
}

/** The objects of a list; whatever else stands in it is left out. */
export function objectsField(from: Payload, name: string): readonly Payload[] {
  const value: unknown = from[name];
  return Array.isArray(value) ? value.map(asObject).filter((entry) => entry !== null) : [];
}

/** When a line was written, in milliseconds, where it says so. */
export function writtenAt(entry: Payload): Pick<TranscriptLine, 'at'> {
  const at = Date.parse(textField(entry, 'timestamp') ?? '');
  return Number.isNaN(at) ? {} : { at };
}

/** What a line says in these blocks. */
export function saidIn(messageId: string, blocks: readonly string[]): TranscriptLine['said'] {
  if (blocks.length === 0) return null;
  return { messageId, text: blocks.join('\n'), ...(blocks.length > 1 ? { blocks } : {}) };
}

/** A line of JSON that holds an object; null for anything else, broken JSON included. */
export function parseObject(line: string): Payload | null {
  // Parsing is what costs: a torn or foreign line is recognised by its ends.
  const trimmed = line.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  try {
    return asObject(JSON.parse(trimmed));
  } catch {
    return null;
  }
}

function asObject(value: unknown): Payload | null {
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
