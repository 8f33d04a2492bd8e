// Claude Code, as 2.1.197 behaves (2.1.325 sends and writes the same): its stop payload, its answers, its
// transcript. Finding and reading the transcript's file is not done here. Recordings: test/fixtures/recorded.

import type { Client, Payload, SessionLimit, TranscriptLine, TurnOrigin } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { nameField, objectField, objectsField, saidIn, textField } from '../fields.ts';
import { ownLimit } from '../hook-limit.ts';
import { isFromQwen } from '../qwen.ts';
import type { BackgroundTask } from '../stop.ts';
import { readUuidLine } from '../uuid-line.ts';
import { startFolder } from './start-folder.ts';

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  sessionVariables: ['CLAUDE_CODE_SESSION_ID'],
  pidVariable: 'CLAUDE_PID',
  startVariable: 'CLAUDE_PROJECT_DIR',
  secretVariables: ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
  hookVariables: [
    ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ATTENDED'],
    ...['CLAUDE_EFFORT', 'CLAUDE_ENV_FILE', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_PLUGIN_ROOT'],
  ],
  sandbox: (stop, env, root) => import('./sandbox.ts').then(({ sandboxOf }) => sandboxOf(stop, env, root)),
  startFolder,
  recognises,
  decode: (payload) => ({
    ...decodeCommon(payload, 'claude-code'),
    turn: nameField(payload, 'prompt_id'),
    backgroundTasks: runningTasks(payload),
  }),
  encode: encodeAnswer,
  readTranscriptLine,
  hookLimit: ownLimit,
  longCommands: 'wakes',
  install: {
    program: 'claude',
    projectScope: true,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
};

/** What others send too is no mark when theirs is beside it. A session's start has nothing but what it lacks. */
function recognises(payload: Payload): boolean {
  if (isFromQwen(payload) || 'turn_id' in payload) return false;
  if ('prompt_id' in payload || 'background_tasks' in payload || 'session_crons' in payload) return true;
  const others = ['permission_mode', 'timestamp', 'initial_prompt', 'CLAUDE_ENV_FILE', 'cursor_version'];
  return (
    payload.hook_event_name === 'SessionStart' &&
    'source' in payload &&
    !others.some((name) => name in payload)
  );
}

function runningTasks(payload: Payload): readonly BackgroundTask[] {
  return objectsField(payload, 'background_tasks')
    .filter((task) => task.status === 'running')
    .map((task) => {
      const command = textField(task, 'command');
      const known = { id: textField(task, 'id') ?? '', type: textField(task, 'type') ?? '' };
      return command === null ? known : { ...known, command };
    });
}

// Lines without a uuid are the client's own notes (its prompt queue; since 2.1.325 whole API requests).
function readTranscriptLine(line: string): TranscriptLine | null {
  const read = readUuidLine(line);
  if (read === null) return null;
  const { entry, message, nothing } = read;
  if (message === null) return nothing;
  if (entry.isApiErrorMessage === true) return { ...nothing, failed: true, ...limitOf(entry) };
  if (entry.type === 'assistant') return { ...nothing, toolCall: callsTool(message), said: textOf(message) };
  if (entry.type === 'user' && startsTurn(entry, message))
    return { ...nothing, startsTurn: true, ...startedBy(entry) };
  return nothing;
}

/** The words of 2.1.325 for an API error that ends by itself or by a person's doing; the others do not. */
const limits: Readonly<Record<string, SessionLimit['what']>> = {
  rate_limit: 'rate_limit',
  server_error: 'server_error',
  overloaded: 'server_error',
  billing_error: 'billing_error',
  authentication_failed: 'authentication_failed',
  oauth_org_not_allowed: 'authentication_failed',
  account_on_hold: 'authentication_failed',
  verification_required: 'authentication_failed',
};

/** When a subscriber's limit ends stands in the row alone, in seconds. */
function limitOf(entry: Payload): Pick<TranscriptLine, 'limit'> {
  const word = textField(entry, 'error') ?? '';
  const what = Object.hasOwn(limits, word) ? limits[word] : undefined;
  if (what === undefined) return {};
  const resets = objectField(entry, 'quotaLimits')?.resetsAt;
  const isTime = typeof resets === 'number' && resets > 0 && Number.isSafeInteger(Math.round(resets * 1000));
  return { limit: { what, resetsAt: isTime ? Math.round(resets * 1000) : null } };
}

/**
 * Tools that only keep the agent's list of things to do: calling them is no work. TodoWrite was replaced by the
 * Task ones. TaskOutput and TaskStop are not among them: they handle background tasks.
 */
const bookkeeping = new Set(['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate']);

function callsTool(message: Payload): boolean {
  return objectsField(message, 'content').some(
    (block) => block.type === 'tool_use' && !bookkeeping.has(textField(block, 'name') ?? ''),
  );
}

function textOf(message: Payload): TranscriptLine['said'] {
  // The client's own words, such as an API error, in the agent's mouth.
  if (message.model === '<synthetic>') return null;
  const messageId = textField(message, 'id');
  const texts = objectsField(message, 'content')
    .filter((block) => block.type === 'text')
    .map((block) => textField(block, 'text'))
    .filter((text) => text !== null);
  return messageId === null ? null : saidIn(messageId, texts);
}

/** Prompts, woken background tasks, a compaction's summary and holds; not tool results or the client's asides. */
function startsTurn(entry: Payload, message: Payload): boolean {
  const isToolResult = objectsField(message, 'content').some((block) => block.type === 'tool_result');
  if (isToolResult) return false;
  // A hold is written as an aside too, and differs from the others by its first words alone.
  return entry.isMeta !== true || (textField(message, 'content')?.startsWith('Stop hook feedback:') ?? false);
}

/** `turnOrigin` since 2.1.325, `origin` before, with `-` for `_`. Any other word, and no word, tells nothing. */
const origins: Readonly<Record<string, TurnOrigin>> = {
  human: 'person',
  sdk: 'person',
  task_notification: 'background',
  scheduled: 'background',
  auto_continuation: 'background',
};

function startedBy(entry: Payload): Pick<TranscriptLine, 'startedBy'> {
  // Of the asides a hold alone starts a turn.
  if (entry.isMeta === true) return { startedBy: 'hook' };
  const kind = textField(objectField(entry, 'origin') ?? {}, 'kind')?.replaceAll('-', '_');
  const word = textField(entry, 'turnOrigin') ?? kind ?? '';
  const by = Object.hasOwn(origins, word) ? origins[word] : undefined;
  return by === undefined ? {} : { startedBy: by };
}
