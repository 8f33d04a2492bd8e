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

describe('a reader of what Droid prints', () => {
  const talk = () => {
    const reader = new DroidReader();
    const say = (type: string, more: object = {}) => reader.line(JSON.stringify({ type, ...more }));
    return { reader, say };
  };

  test.each<[object, string, string]>([
    [{ command: 'ls', file_path: '/a' }, 'Sandbox: no', 'T(ls)'],
    [
      { file_path: '/a', url: 'u' },
      'Error: Error executing command: Sandbox unavailable on this machine',
      'T(/a)',
    ],
    [{ url: 'u' }, 'Exec ended early: insufficient permission to proceed', 'T(u)'],
    [{ other: 'x' }, 'Sandbox: no', 'T'],
  ])('names a call with %j that is denied by %j as %s, once', (parameters, message, what) => {
    const { say } = talk();
    say('tool_call', { id: 'a', toolName: 'T', parameters });
    const error = { message };
    expect(say('tool_result', { id: 'a', error })).toEqual([{ kind: 'denied', what }]);
    expect(say('tool_result', { id: 'a', error })).toEqual([{ kind: 'denied', what: 'a tool' }]);
  });

  test.each<[string, object]>([
    ['message', {}],
    ['tool_result', { error: { message: 'The Sandbox: no' } }],
    ['tool_result', { error: { message: 'So Error: Error executing command: Sandbox unavailable' } }],
  ])('takes a line for a sign of life: %s %j', (type, more) => {
    expect(talk().say(type, more)).toEqual([{ kind: 'alive' }]);
  });

  test('begins with its first line alone', () => {
    const { say } = talk();
    expect(say('system', { subtype: 'init', session_id: 's' })).toEqual([{ kind: 'session', id: 's' }, TURN]);
    expect(say('system', { subtype: 'news', session_id: 's' })).toEqual([]);
    expect(say('system', { subtype: 'init' })).toEqual([]);
  });

  test('a turn that is completed after one that failed leaves no trouble', () => {
    const { reader, say } = talk();
    expect(say('error', { message: '429 slow' })).toMatchObject([{ trouble: { what: 'limit' } }]);
    expect(say('error', { message: '500 so' })).toEqual([{ kind: 'alive' }]);
    expect(reader.trouble('', false)).toMatchObject({ what: 'limit' });
    expect(say('completion')).toEqual([DONE]);
    expect(reader.trouble('', false)).toBeNull();
    expect(reader.trouble('so\n', false)).toBeNull();
  });
});
