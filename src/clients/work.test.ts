// Which rows of a client's transcript are its agent's own, in recordings and line by line.

import { describe, expect, it } from 'vitest';
import { recordedLines } from '../../test/support/recorded.ts';
import { clientNamed } from './index.ts';
import type { WorkLine } from './work.ts';

async function readAll(client: string, lines: readonly string[]): Promise<WorkLine[]> {
  const read = await clientNamed(client).work?.();
  if (read === undefined) throw new Error(`${client} does not tell`);
  return lines.flatMap((line) => read(line) ?? []);
}

/** Every call and result in their order: `+a` begins, `-a` is over. */
const callsIn = (work: readonly WorkLine[]): string[] =>
  work.flatMap((line) =>
    line.kind === 'own' ? line.calls.map((id) => `+${id}`) : line.ids.map((id) => `-${id}`),
  );

describe('a recording tells the agent’s own rows, and each call before its result', () => {
  it.each([
    ['claude-code', 'transcript-hold.jsonl'],
    ['claude-code', 'transcript-denied-2.1.325.jsonl'],
    ['codex', 'transcript-hold.jsonl'],
    ['codex', 'transcript-code-mode.jsonl'],
    ['copilot', 'transcript-hold.jsonl'],
    ['qwen', 'transcript-hold.jsonl'],
    ['gemini', 'transcript-hold.jsonl'],
    ['droid', 'transcript-hold.jsonl'],
  ])('%s: %s', async (client, file) => {
    const lines = recordedLines(`${client}/${file}`);
    const work = await readAll(client, lines);
    expect(work.some(({ kind }) => kind === 'own')).toBe(true);
    const calls = callsIn(work);
    const ids = [...new Set(calls.map((call) => call.slice(1)))];
    expect(ids.length).toBeGreaterThan(0);
    expect(calls.filter((call) => call.startsWith('-')).length).toBeGreaterThan(0);
    for (const id of ids.filter((each) => calls.includes(`-${each}`)))
      expect(calls.indexOf(`+${id}`)).toBeGreaterThanOrEqual(0);
    for (const id of ids.filter((each) => calls.includes(`-${each}`)))
      expect(calls.indexOf(`+${id}`)).toBeLessThan(calls.indexOf(`-${id}`));
    // A prompt is never the agent's own, whoever gave it.
    const read = clientNamed(client).readTranscriptLine;
    const prompts = lines.filter((line) => read(line)?.startsTurn);
    expect(prompts.length).toBeGreaterThan(0);
    expect(await readAll(client, prompts)).toEqual([]);
  });
});

describe('a line', () => {
  const own = { kind: 'own', calls: [] } as const;
  it.each<[string, object, WorkLine | null]>([
    ['claude-code', { type: 'assistant', message: { content: [{ type: 'thinking' }] } }, own],
    ['claude-code', { type: 'assistant', message: { model: '<synthetic>', content: [] } }, null],
    ['claude-code', { type: 'assistant', isSidechain: true, message: { content: [] } }, null],
    ['claude-code', { type: 'user', message: { content: 'Go on.' } }, null],
    ['claude-code', { type: 'attachment', attachment: { type: 'hook_additional_context' } }, null],
    ['claude-code', { type: 'system', subtype: 'stop_hook_summary' }, null],
    ['codex', { type: 'response_item', payload: { type: 'reasoning' } }, own],
    ['codex', { type: 'response_item', payload: { type: 'message', role: 'developer' } }, null],
    ['codex', { type: 'event_msg', payload: { type: 'turn_aborted' } }, null],
    ['codex', { type: 'response_item', payload: { type: 'x_output' } }, { kind: 'results', ids: [] }],
    ['copilot', { type: 'assistant.message', data: { parentToolCallId: 'p', toolRequests: [] } }, null],
    ['copilot', { type: 'session.resume', data: {} }, null],
    ['copilot', { type: 'tool.execution_complete', data: {} }, { kind: 'results', ids: [] }],
    ['qwen', { type: 'system', message: { parts: [] } }, null],
    ['qwen', { type: 'assistant', isSidechain: true, message: { parts: [] } }, null],
    ['gemini', { type: 'user', content: [{ text: 'Go on.' }] }, null],
    ['gemini', { type: 'gemini', uuid: 'u', content: '' }, null],
    [
      'droid',
      { type: 'message', message: { role: 'assistant', visibility: 'user_only', content: [] } },
      null,
    ],
    ['droid', { type: 'session_start', message: { role: 'assistant', content: [] } }, null],
    ['opencode', { opencode: 1, kind: 'tool' }, own],
    ['opencode', { opencode: 1, kind: 'user' }, null],
    ['opencode', { opencode: 2, kind: 'text' }, null],
  ])('of %s: %j', async (client, line, said) => {
    expect(await readAll(client, [JSON.stringify(line), 'no json', '{}'])).toEqual(
      said === null ? [] : [said],
    );
  });
});
