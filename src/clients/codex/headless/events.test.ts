import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { CodexReader } from './events.ts';

const read = (name: string, reader = new CodexReader()): HeadlessEvent[] =>
  recordedLines(`codex/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const SESSION: HeadlessEvent = { kind: 'session', id: '00000000-0000-4000-8000-000000000001' };
const COMMAND: HeadlessEvent = { kind: 'tool', name: 'command_execution' };

describe('what Codex prints (recorded)', () => {
  test('a turn with two holds is one turn, with its calls and one result', () => {
    expect(loud(read('hold'))).toEqual([
      ...[SESSION, { kind: 'turn' }, COMMAND, COMMAND],
      { kind: 'result', ok: true, usd: null, trouble: null },
    ]);
  });

  test.each([
    ['plain-429', 'limit', 'exceeded retry limit, last status: 429 Too Many Requests'],
    ['overloaded', 'server', expect.stringContaining('503 Service Unavailable')],
    ['server', 'server', expect.stringContaining('experiencing high demand')],
    ['context', 'context', expect.stringMatching(/^Your input exceeds the context window/)],
    ['network', 'network', 'Connection failed: error sending request'],
    ['login', 'login', expect.stringContaining('401 Unauthorized')],
    ['billing', 'billing', 'Quota exceeded. Check your plan and billing details.'],
    ['refused', 'refused', 'a scripted failure'],
  ])('%s is trouble of the kind %s', (name, what, said) => {
    const reader = new CodexReader();
    const [result] = read(name, reader).filter(({ kind }) => kind === 'result');
    expect(result).toMatchObject({ ok: false, usd: null, trouble: { what, resetsAt: null, said } });
    expect(reader.trouble('', true)).toMatchObject({ what });
  });

  test('a usage limit says when it ends, in local time', () => {
    const [result] = read('limit').filter(({ kind }) => kind === 'result');
    const resetsAt = new Date(2026, 10, 17, 0, 25).getTime();
    expect(result).toMatchObject({ ok: false, trouble: { what: 'limit', resetsAt } });
  });

  test('while it tries again by itself it is alive, and in no trouble', () => {
    const reader = new CodexReader();
    expect(loud(read('reconnecting', reader)).map(({ kind }) => kind)).toEqual(['session', 'turn']);
    expect(reader.trouble('', true)).toBeNull();
  });

  test('one that is interrupted has no result; its own log line is no trouble', () => {
    const reader = new CodexReader();
    expect(loud(read('interrupted', reader))).toEqual([SESSION, { kind: 'turn' }, COMMAND]);
    const log = '2026-11-16T21:35:54.651938Z ERROR codex_core::session: failed to record rollout items\n';
    expect(reader.trouble(log, true)).toBeNull();
  });

  test('what it complained of is said where nothing else is', () => {
    const said = 'Error: thread/resume: thread/resume failed: no rollout found for thread id 0 (code -32600)';
    expect(new CodexReader().trouble(`${said}\n`, true)).toEqual({ what: 'unknown', resetsAt: null, said });
    expect(new CodexReader().trouble(`${said}\n`, false)).toBeNull();
  });

  test.each(['ERROR', ' WARN', ' INFO'])('what its log says of its own is no complaint: %s', (level) => {
    const log = `2026-11-16T21:35:54.651938Z ${level} codex_core: odd\n`;
    expect(new CodexReader().trouble(log, true)).toBeNull();
    expect(new CodexReader().trouble(`No such model\n${log}`, true)).toMatchObject({ said: 'No such model' });
  });

  test('a turn that is completed after one that failed leaves no trouble', () => {
    const reader = new CodexReader();
    reader.line('{"type":"turn.failed","error":{"message":"usage limit"}}');
    expect(reader.trouble('', false)).toMatchObject({ what: 'limit' });
    expect(reader.line('{"type":"turn.completed"}')).toMatchObject([{ ok: true, trouble: null }]);
    expect(reader.trouble('', false)).toBeNull();
  });

  test.each(['agent_message', 'reasoning', 'error', 'todo_list', 'user_message'])(
    'what it says, thinks or warns of is nothing done: %s',
    (type) => {
      const line = JSON.stringify({ type: 'item.completed', item: { id: 'i', type, status: 'declined' } });
      expect(new CodexReader().line(line)).toEqual([{ kind: 'alive' }]);
    },
  );

  test('an error that it tries again after is a sign of life', () => {
    expect(new CodexReader().line('{"type":"error","message":"Reconnecting... 1/5"}')).toEqual([
      { kind: 'alive' },
    ]);
  });

  test('what has begun is counted once, until it is over', () => {
    const reader = new CodexReader();
    const kinds = ['started', 'updated', 'completed', 'started'].map((when) =>
      reader
        .line(JSON.stringify({ type: `item.${when}`, item: { id: 'i', type: 'web_search' } }))
        .map(({ kind }) => kind),
    );
    expect(kinds).toEqual([['tool'], ['alive'], ['alive'], ['tool']]);
  });

  test.each([
    [{ tool: 'fetch' }, 'mcp_tool_call(fetch)'],
    [{ command: 'ls', tool: 'fetch' }, 'mcp_tool_call(ls)'],
    [{}, 'mcp_tool_call'],
  ])('what was declined is named by %j', (more, what) => {
    const item = { id: 'i', type: 'mcp_tool_call', status: 'declined', ...more };
    const reader = new CodexReader();
    expect(reader.line(JSON.stringify({ type: 'item.updated', item }))).toHaveLength(1);
    expect(reader.line(JSON.stringify({ type: 'item.completed', item }))[1]).toEqual({
      kind: 'denied',
      what,
    });
  });

  test('what has no beginning is counted at its end, and what was declined is named', () => {
    const reader = new CodexReader();
    const item = { id: 'i', type: 'command_execution', command: 'rm -r /', status: 'declined' };
    expect(reader.line(JSON.stringify({ type: 'item.completed', item }))).toEqual([
      COMMAND,
      { kind: 'denied', what: 'command_execution(rm -r /)' },
    ]);
  });

  test('unknown lines are passed over', () => {
    const reader = new CodexReader();
    const lines = ['', 'text', '[]', '{"type":"news"}', '{"type":[]}', '{}', '{"type":"thread.started"}'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"item.started"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"turn.failed"}')).toMatchObject([
      { ok: false, trouble: { what: 'unknown' } },
    ]);
  });
});
