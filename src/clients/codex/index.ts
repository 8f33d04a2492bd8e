// Codex CLI, as 0.166.0 behaves: its stop payload, its answers, its transcript (the rollout file). Finding and
// reading that file is not done here. Recordings: test/fixtures/recorded.

import { fingerprint } from '../../store/fingerprint.ts';
import type { Client, Payload, SessionLimit, TranscriptLine } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { isFromDroid } from '../droid.ts';
import { encodeAnswer } from '../encode.ts';
import {
  nameField,
  objectField,
  objectsField,
  parseObject,
  saidIn,
  textField,
  writtenAt,
} from '../fields.ts';
import { ownLimit } from '../hook-limit.ts';
import { isFromQwen } from '../qwen.ts';
import { startFolder } from './start-folder.ts';

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
  hookVariables: ['CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_PACKAGE_ROOT'],
  sandbox: (stop, env, root) => import('./sandbox.ts').then(({ sandboxOf }) => sandboxOf(stop, env, root)),
  startFolder,
  recognises,
  decode: (payload) => ({ ...decodeCommon(payload, 'codex'), turn: nameField(payload, 'turn_id') }),
  encode: encodeAnswer,
  readTranscriptLine,
  hookLimit: ownLimit,
  longCommands: 'sandboxed',
  install: {
    program: 'codex',
    projectScope: false,
    asksForTrust: true,
    load: () => import('./install.ts').then((module) => module.installer),
  },
};

/** Its SessionStart has no turn yet; Claude Code's may name the model too, but never a permission mode. */
function recognises(payload: Payload): boolean {
  if ('turn_id' in payload) return true;
  if ('prompt_id' in payload || isFromQwen(payload) || isFromDroid(payload)) return false;
  return (
    ('model' in payload && 'permission_mode' in payload) || isRollout(nameField(payload, 'transcript_path'))
  );
}

function isRollout(transcript: string | null): boolean {
  return transcript?.slice(transcript.lastIndexOf('/') + 1).startsWith('rollout-') ?? false;
}

function readTranscriptLine(line: string): TranscriptLine | null {
  const entry = parseObject(line);
  const item = entry && objectField(entry, 'payload');
  if (!entry || !item) return null;
  const marker = fingerprint(line);
  const nothing: TranscriptLine = {
    ...{ marker, toolCall: false, startsTurn: false, said: null },
    ...writtenAt(entry),
  };
  // Compaction writes its summary as if the agent had said it, then this line: the summary is no answer.
  if (entry.type === 'compacted') return { ...nothing, startsTurn: true };
  if (entry.type === 'event_msg' && item.type === 'task_complete') return { ...nothing, ...failureOf(item) };
  if (entry.type !== 'response_item') return nothing;
  if (item.type !== 'message') return { ...nothing, toolCall: isToolCall(item) };
  // Prompts, holds, and the client's own context, which always stands before what the agent says next.
  if (item.role === 'user')
    return { ...nothing, startsTurn: true, ...(isHold(item) ? { startedBy: 'hook' } : {}) };
  return item.role === 'assistant' ? { ...nothing, said: textOf(item, marker) } : nothing;
}

/** Who else began a turn the rollout does not tell: a goal's own turns look like a person's. */
function isHold(item: Payload): boolean {
  return objectsField(item, 'content').some((block) => textField(block, 'text')?.startsWith('<hook_prompt '));
}

/** The words of 0.166.0 for a failed turn whose cause ends by itself or by a person's doing; the others do not. */
const limits: Readonly<Record<string, SessionLimit['what']>> = {
  usage_limit_exceeded: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  server_overloaded: 'server_error',
  internal_server_error: 'server_error',
  unauthorized: 'authentication_failed',
};

/** When a limit ends does not stand in the row. */
function failureOf(item: Payload): Pick<TranscriptLine, 'failed' | 'limit'> {
  const error = objectField(item, 'error');
  if (error === null) return {};
  const word = textField(error, 'codex_error_info') ?? '';
  const what = Object.hasOwn(limits, word) ? limits[word] : undefined;
  return { failed: true, ...(what === undefined ? {} : { limit: { what, resetsAt: null } }) };
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
