// What a line of Codex's transcript, the rollout file, says. Finding and reading the file is not done here.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Payload, TranscriptLine, TurnOrigin } from '../client.ts';
import { objectField, objectsField, parseObject, saidIn, textField, writtenAt } from '../fields.ts';
import { limitOf } from './limit.ts';
import { leavesRunning } from './running.ts';

export function readTranscriptLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  const item = entry && objectField(entry, 'payload');
  if (!entry || !item) return null;
  const marker = fingerprint(line);
  const nothing: TranscriptLine = {
    ...{ marker, toolCall: false, startsTurn: false, said: null },
    ...writtenAt(entry),
  };
  // Compaction writes its summary as if the agent had said it, then this line: the summary is no answer.
  if (entry.type === 'compacted')
    return { ...nothing, startsTurn: true, startedBy: 'background', compacted: true };
  if (entry.type === 'event_msg' && item.type === 'task_complete') return { ...nothing, ...failureOf(item) };
  if (entry.type !== 'response_item') return nothing;
  if (item.type !== 'message') return { ...nothing, toolCall: isToolCall(item), ...leavesRunning(item) };
  // Prompts, holds, and the client's own context, which always stands before what the agent says next.
  if (item.role === 'user') return { ...nothing, startsTurn: true, ...startedBy(item) };
  return item.role === 'assistant' ? { ...nothing, said: textOf(item, marker) } : nothing;
}

function failureOf(item: Payload): Pick<TranscriptLine, 'failed' | 'limit'> {
  const error = objectField(item, 'error');
  if (error === null) return {};
  const limit = limitOf(error);
  return { failed: true, ...(limit === null ? {} : { limit }) };
}

/**
 * A hold; the client's own context and its goal's words, with which no person began anything; what was typed. 0.166.0
 * says of each text where it is from, so that the row that starts the turn need not be asked: it would call a
 * compaction by hand a person's turn, too. Where nothing is said, the first words tell all but who typed.
 */
function startedBy(item: Payload): Pick<TranscriptLine, 'startedBy'> {
  const texts = objectsField(item, 'content').map((block) => textField(block, 'text') ?? '');
  if (texts.some((text) => text.startsWith('<hook_prompt '))) return { startedBy: 'hook' };
  const by = sourceOf(item) ?? (texts.every(isOwnContext) ? 'background' : undefined);
  return by === undefined ? {} : { startedBy: by };
}

function sourceOf(item: Payload): TurnOrigin | undefined {
  const passed = objectField(item, 'internal_chat_message_metadata_passthrough') ?? {};
  const sources = objectsField(passed, 'content_item_metadata').flatMap(
    (metadata) => textField(objectField(metadata, 'provenance') ?? {}, 'type') ?? [],
  );
  if (sources.length === 0) return undefined;
  return sources.includes('user') ? 'person' : 'background';
}

function isOwnContext(text: string): boolean {
  return ['<environment_context>', '<codex_internal_context'].some((tag) => text.startsWith(tag));
}

const calls = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);

/** Tools that only keep the agent's plan and goal: calling them is no work. */
const bookkeeping = new Set(['update_plan', 'create_goal', 'get_goal', 'update_goal']);

function isToolCall(item: Payload): boolean {
  if (!calls.has(textField(item, 'type') ?? '')) return false;
  const name = textField(item, 'name') ?? '';
  if (item.type === 'custom_tool_call' && name === 'exec') return scriptWorks(textField(item, 'input') ?? '');
  return !bookkeeping.has(name);
}

/**
 * Newer models (seen with gpt-6-sol) have one tool, `exec`, and call the others from a script in it:
 * `await tools.exec_command(…)`. A script without `tools` can reach nothing; any use of it that does not
 * plainly name a bookkeeping tool counts as work.
 */
function scriptWorks(script: string): boolean {
  const uses = script.match(/\btools\b(?:\s*\.\s*\w+)?/g) ?? [];
  return uses.some((use) => !bookkeeping.has(use.replace(/^tools\s*\.?\s*/, '')));
}

function textOf(item: Payload, marker: string): TranscriptLine['said'] {
  const texts = objectsField(item, 'content')
    .map((block) => textField(block, 'text'))
    .filter((text) => text !== null);
  return saidIn(textField(item, 'id') ?? marker, texts);
}
