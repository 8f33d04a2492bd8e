import { expect, test } from 'vitest';
import { recordedLines } from '../../../test/support/recorded.ts';
import { usage } from './usage.ts';

test('tokens in Qwen Code: each answer once, subagents and its own errands among them (recorded)', () => {
  const counted = recordedLines('qwen/transcript-usage.jsonl').flatMap((line) => usage.read(line) ?? []);
  expect(counted).toHaveLength(13);
  // 100 in, of which 40 were read from the cache; 20 out, of which 5 were thought.
  expect(counted.every(({ tokens, cacheRead }) => tokens === 80 && cacheRead === 40)).toBe(true);
  expect(counted[0]).toMatchObject({ kind: 'message', at: Date.parse('2026-11-17T12:00:00Z') });
  expect(new Set(counted.map((used) => used.kind === 'message' && used.id)).size).toBe(13);
});

test.each([
  ['text', 'qwen-code.api_response'],
  [
    'a line without an id',
    '{"subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response"}}}',
  ],
  [
    'another event',
    '{"uuid":"u","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"x qwen-code.api_response"}}}',
  ],
  [
    'an agent that quotes one',
    '{"uuid":"u","type":"user","message":{"parts":[{"text":"qwen-code.api_response"}]}}',
  ],
])('are none in %s', (_, line) => expect(usage.read(line)).toBe(null));

test('what is no count is none', () => {
  const event = { 'event.name': 'qwen-code.api_response', input_token_count: -1, output_token_count: 'many' };
  const line = { uuid: 'u', subtype: 'ui_telemetry', systemPayload: { uiEvent: event } };
  expect(usage.read(JSON.stringify(line))).toEqual({
    kind: 'message',
    id: 'u',
    tokens: 0,
    cacheRead: 0,
    at: null,
  });
  expect(usage.timeOf('{}')).toBe(null);
  expect(usage.files({ transcriptPath: '/t' } as never)).toEqual(['/t']);
});
