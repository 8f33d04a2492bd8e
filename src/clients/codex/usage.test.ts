import { describe, expect, it } from 'vitest';
import { usage } from './usage.ts';

const at = '2026-11-17T12:00:00.000Z';
const record = (total: unknown, last?: unknown) =>
  JSON.stringify({
    type: 'token_usage_record',
    timestamp: at,
    payload: { thread_token_usage: total, usage: last },
  });
const count = (total: unknown, last?: unknown, type = 'token_count') =>
  JSON.stringify({
    type: 'event_msg',
    timestamp: at,
    payload: { type, info: { total_token_usage: total, last_token_usage: last } },
  });
const NONE = { tokens: 0, cacheRead: 0 };

describe.each([
  ['a record', record],
  ['a count', count],
])('tokens in %s of Codex', (_, line) => {
  it.each<[object, object]>([
    [{}, NONE],
    [
      { input_tokens: 10, cached_input_tokens: 4, output_tokens: 3 },
      { tokens: 9, cacheRead: 4 },
    ],
    [
      { input_tokens: 1, cached_input_tokens: 4 },
      { tokens: 0, cacheRead: 4 },
    ],
    [{ output_tokens: 2 }, { tokens: 2, cacheRead: 0 }],
  ])('%j', (used, tokens) => {
    const time = Date.parse(at);
    expect(usage.read(line(used))).toEqual({ kind: 'total', ...tokens, last: NONE, at: time });
    expect(usage.read(line({}, used))).toEqual({ kind: 'total', ...NONE, last: tokens, at: time });
  });

  it('are none without a total', () => {
    expect(usage.read(line(undefined, {}))).toBe(null);
    expect(usage.read(line('many'))).toBe(null);
  });
});

it.each([
  '',
  '"token_count"',
  count({}, {}, 'agent_message').replace('agent_message', 'x"token_count"'),
  count({}, {}, 'other'),
  '{"type":"token_usage_record"}',
  '{"type":"event_msg","payload":{"type":"token_count","info":null}}',
  '{"type":"event_msg","payload":{"type":"token_count","thread_token_usage":{}}}',
])('there are none in %j', (text) => {
  expect(usage.read(text)).toBe(null);
});

it('a line without a time still counts', () => {
  expect(usage.read('{"type":"token_usage_record","payload":{"thread_token_usage":{}}}')).toEqual({
    ...{ kind: 'total', ...NONE, last: NONE, at: null },
  });
  expect([usage.timeOf('{}'), usage.timeOf(''), usage.timeOf(count({}))]).toEqual([
    null,
    null,
    Date.parse(at),
  ]);
});

it('without a transcript there is no file', () => {
  expect(usage.files({ transcriptPath: null, session: 's' } as never)).toEqual([]);
  expect(usage.files({ transcriptPath: '/nowhere/t.jsonl', session: null } as never)).toEqual([
    '/nowhere/t.jsonl',
  ]);
  expect(usage.totals).toBe(true);
});
