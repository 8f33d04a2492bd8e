// What a line of Claude Code's transcript says. Finding and reading the file is not done here.

import type { Payload, TranscriptLine, TurnOrigin } from '../client.ts';
import { objectField, objectsField, saidIn, textField } from '../fields.ts';
import { readUuidLine } from '../uuid-line.ts';
import { limitOf } from './limit.ts';

// Lines without a uuid are the client's own notes (its prompt queue; since 2.1.325 whole API requests).
export function readTranscriptLine(line: string): TranscriptLine | null {
  const read = readUuidLine(line);
  if (read === null) return null;
  const { entry, message, nothing } = read;
  if (message === null)
    return isFeedback(entry) ? { ...nothing, startsTurn: true, startedBy: 'hook' } : nothing;
  if (entry.isApiErrorMessage === true) {
    const limit = limitOf(entry);
    return { ...nothing, failed: true, ...(limit === null ? {} : { limit }) };
  }
  if (entry.type === 'assistant') return { ...nothing, ...callsIn(message), said: textOf(message) };
  if (entry.type !== 'user') return nothing;
  const results = objectsField(message, 'content').filter((block) => block.type === 'tool_result');
  if (results.length > 0) return { ...nothing, ...deniedIn(entry, results) };
  return startsTurn(entry, message) ? { ...nothing, startsTurn: true, ...startedBy(entry) } : nothing;
}

/** A hold that was said as feedback is no message. Context that other hooks add, such as SessionStart's, is no hold. */
function isFeedback(entry: Payload): boolean {
  const attachment = entry.isSidechain === true ? null : objectField(entry, 'attachment');
  return attachment?.type === 'hook_additional_context' && attachment.hookEvent === 'Stop';
}

/**
 * Tools that only keep the agent's list of things to do: calling them is no work. TodoWrite was replaced by the
 * Task ones. TaskOutput and TaskStop are not among them: they handle background tasks.
 */
const bookkeeping = new Set(['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate']);

function callsIn(message: Payload): Pick<TranscriptLine, 'toolCall' | 'calls'> {
  const working = objectsField(message, 'content').filter(
    (block) => block.type === 'tool_use' && !bookkeeping.has(textField(block, 'name') ?? ''),
  );
  const calls = working.flatMap((block) => textField(block, 'id') ?? []);
  // A call without an id cannot be found denied, so the line counts as work whatever became of the others.
  const isNamed = calls.length > 0 && calls.length === working.length;
  return { toolCall: working.length > 0, ...(isNamed ? { calls } : {}) };
}

/** Calls that were ended, not denied: they may have done something before. */
const ended = new Set(['interrupted', 'cancelled']);

function deniedIn(entry: Payload, results: readonly Payload[]): Pick<TranscriptLine, 'denied'> {
  const kind = textField(entry, 'toolDenialKind');
  if (kind === null || ended.has(kind)) return {};
  return { denied: results.flatMap((result) => textField(result, 'tool_use_id') ?? []) };
}

function textOf(message: Payload): TranscriptLine['said'] {
  // The client's own words in the agent's mouth.
  if (message.model === '<synthetic>') return null;
  const messageId = textField(message, 'id');
  const texts = objectsField(message, 'content')
    .filter((block) => block.type === 'text')
    .map((block) => textField(block, 'text'))
    .filter((text) => text !== null);
  return messageId === null ? null : saidIn(messageId, texts);
}

/**
 * Prompts, woken background tasks, a compaction's summary and holds; of the client's asides only a hold, which differs
 * from the others by its first words alone, and what it says to itself to go on after a limit.
 */
function startsTurn(entry: Payload, message: Payload): boolean {
  if (entry.isMeta !== true || originOf(entry) !== undefined) return true;
  return textField(message, 'content')?.startsWith('Stop hook feedback:') ?? false;
}

/** `turnOrigin` since 2.1.325, `origin` before, with `-` for `_`. Any other word, and no word, tells nothing. */
const origins: Readonly<Record<string, TurnOrigin>> = {
  human: 'person',
  sdk: 'person',
  task_notification: 'background',
  scheduled: 'background',
  auto_continuation: 'background',
};

function startedBy(entry: Payload): Pick<TranscriptLine, 'startedBy' | 'compacted'> {
  // A summary may name the origin of the turn that it interrupts.
  if (entry.isCompactSummary === true) return { startedBy: 'background', compacted: true };
  const by = originOf(entry) ?? (entry.isMeta === true ? 'hook' : undefined);
  return by === undefined ? {} : { startedBy: by };
}

function originOf(entry: Payload): TurnOrigin | undefined {
  const kind = textField(objectField(entry, 'origin') ?? {}, 'kind')?.replaceAll('-', '_');
  const word = textField(entry, 'turnOrigin') ?? kind ?? '';
  return Object.hasOwn(origins, word) ? origins[word] : undefined;
}
