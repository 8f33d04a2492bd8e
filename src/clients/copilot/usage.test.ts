import { expect, test } from 'vitest';
import { recordedLines } from '../../../test/support/recorded.ts';
import { usage } from './usage.ts';

test('tokens in Copilot CLI: each answer once, those to a subagent among them (recorded)', () => {
  const counted = recordedLines('copilot/transcript-usage.jsonl').flatMap((line) => usage.read(line) ?? []);
  expect(counted).toHaveLength(6);
  // 100 in, of which 40 were read from the cache; 20 out, of which 5 were thought.
  expect(counted.every(({ tokens, cacheRead }) => tokens === 80 && cacheRead === 40)).toBe(true);
  expect(counted[0]).toMatchObject({ kind: 'message', at: Date.parse('2026-11-17T12:00:00Z') });
  expect(new Set(counted.map((used) => used.kind === 'message' && used.id)).size).toBe(6);
});

test.each([
  ['text', '"session.usage_record"'],
  ['a line without an id', '{"type":"session.usage_record","data":{"usage":{"inputTokens":1}}}'],
  ['a line without numbers', '{"type":"session.usage_record","id":"u","data":{}}'],
  [
    'an agent that quotes one',
    '{"type":"user.message","id":"u","data":{"content":"\\"session.usage_record\\""}}',
  ],
])('are none in %s', (_, line) => expect(usage.read(line)).toBe(null));

test('what is no count is none', () => {
  const line = {
    type: 'session.usage_record',
    id: 'u',
    data: { usage: { inputTokens: -1, outputTokens: 'x' } },
  };
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
