// What the reader of each driven client makes of what it may print, beside what was recorded (../recorded.test.ts): each
// row of golden/CLIENT.txt is what one process prints, with `stderr` where it complains.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { matchTable } from '../../../test/support/golden.ts';
import { ClaudeReader } from '../claude-code/headless/events.ts';
import { CodexReader } from '../codex/headless/events.ts';
import { CopilotReader } from '../copilot/headless/events.ts';
import { DroidReader } from '../droid/headless/events.ts';
import { GeminiReader } from '../gemini/headless/events.ts';
import { OpencodeReader } from '../opencode/headless/events.ts';
import { QwenReader } from '../qwen/headless/events.ts';
import type { StreamReader } from './start.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 16, 21) });
  vi.stubEnv('TZ', 'UTC');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it.each<[string, () => StreamReader]>([
  ['claude-code', () => new ClaudeReader()],
  ['codex', () => new CodexReader()],
  ['copilot', () => new CopilotReader()],
  ['droid', () => new DroidReader()],
  ['gemini', () => new GeminiReader()],
  ['opencode', () => new OpencodeReader()],
  ['qwen', () => new QwenReader()],
])('what %s prints is said by its reader', async (name, newReader) => {
  const said = (entries: readonly (string | { stderr?: string })[]): unknown[] => {
    const reader = newReader();
    const stderr = entries.map((entry) => (typeof entry === 'string' ? '' : (entry.stderr ?? ''))).join('');
    const printed = entries.filter((entry) => typeof entry === 'string' || entry.stderr === undefined);
    const lines = printed.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const events = lines.flatMap((line) => reader.line(line));
    const end = [...(reader.ended?.() ?? []), reader.trouble(stderr, true)].filter((each) => each !== null);
    return [...events.map((event) => (event.kind === 'alive' ? 'alive' : event)), ...end];
  };
  const complaints = (stderr: string) => [
    newReader().trouble(stderr, true),
    newReader().trouble(stderr, false),
  ];
  await matchTable(import.meta.dirname, name, {
    lines: (printed) => said(JSON.parse(printed)),
    complaints,
  });
});

it.each([
  ['Claude Code', new ClaudeReader(), callOfClaude],
  ['Copilot CLI', new CopilotReader(), callOfCopilot],
] as const)('the last 200 calls of %s are remembered', (_, reader, call) => {
  const say = (entry: object) => JSON.stringify(reader.line(JSON.stringify(entry)));
  for (let id = 0; id <= 200; id++) say(call(id)[0]);
  expect([0, 1].map((id) => say(call(id)[1]).includes(`echo ${id}`))).toEqual([false, true]);
});

/** With how it is denied. */
function callOfClaude(id: number): readonly [object, object] {
  const content = [{ type: 'tool_use', id: `c${id}`, name: 'Bash', input: { command: `echo ${id}` } }];
  const denied = { type: 'system', subtype: 'permission_denied', tool_use_id: `c${id}` };
  return [{ type: 'assistant', message: { content } }, denied];
}

function callOfCopilot(id: number): readonly [object, object] {
  const data = { toolCallId: `c${id}`, toolName: 'bash', arguments: { command: `echo ${id}` } };
  const denied = { toolCallId: `c${id}`, error: { code: 'denied' } };
  return [
    { type: 'tool.execution_start', data },
    { type: 'tool.execution_complete', data: denied },
  ];
}
