import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { DroidReader } from './events.ts';

const read = (name: string, reader = new DroidReader()): HeadlessEvent[] =>
  recordedLines(`droid/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const SESSION: HeadlessEvent = { kind: 'session', id: '00000000-0000-4000-8000-000000000001' };
const TURN: HeadlessEvent = { kind: 'turn' };
const COMMAND: HeadlessEvent = { kind: 'tool', name: 'Execute' };
const DONE: HeadlessEvent = { kind: 'result', ok: true, usd: null, trouble: null };

describe('what Droid prints (recorded)', () => {
  test('a turn with two holds is one turn, with its calls and one result', () => {
    expect(loud(read('hold'))).toEqual([SESSION, TURN, COMMAND, COMMAND, DONE]);
  });

  test('what its sandbox denies is named; what a command met there is not', () => {
    const denied = read('denied').flatMap((event) => (event.kind === 'denied' ? event.what : []));
    expect(denied).toEqual([
      'Create(/home/dev/other/w.txt)',
      'Create(/home/dev/project/.git/hooks/post-commit)',
      'Create(/home/dev/project/.factory/settings.json)',
      'FetchUrl(http://127.0.0.1:1/)',
    ]);
  });

  test.each([
    ['plain-429', 'limit', 'Rate limit reached for requests'],
    ['server', 'server', 'The server had an error.'],
    ['login', 'login', 'bad key'],
    ['billing', 'billing', 'Insufficient balance'],
    ['context', 'context', expect.stringMatching(/^This model's maximum context length/)],
    ['refused', 'refused', 'a scripted failure'],
    ['network', 'network', 'Connection error.'],
  ])('%s is trouble of the kind %s, said once', (name, what, said) => {
    const reader = new DroidReader();
    const results = read(name, reader).filter(({ kind }) => kind === 'result');
    const trouble = { what, resetsAt: null, said };
    expect(results).toEqual([{ kind: 'result', ok: false, usd: null, trouble }]);
    expect(reader.trouble('', true)).toEqual(trouble);
  });

  test('one that is killed has no result', () => {
    const reader = new DroidReader();
    expect(loud(read('killed', reader))).toEqual([SESSION, TURN, COMMAND, COMMAND]);
    expect(reader.trouble('', true)).toBeNull();
    expect(reader.trouble('droid: it broke\n', true)).toMatchObject({
      what: 'unknown',
      said: 'droid: it broke',
    });
  });

  test('unknown lines are passed over', () => {
    const reader = new DroidReader();
    const lines = ['', 'text', '[]', '{"type":"news"}', '{"type":[]}', '{}', '{"type":"system"}'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"tool_result"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"tool_call"}')).toEqual([{ kind: 'tool', name: 'a tool' }]);
    expect(reader.line('{"type":"tool_call","toolName":"TodoWrite"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"error"}')).toMatchObject([{ ok: false, trouble: { what: 'unknown' } }]);
  });
});
