import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { QwenReader } from './events.ts';

const read = (name: string, reader = new QwenReader()): HeadlessEvent[] =>
  recordedLines(`qwen/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const SESSION: HeadlessEvent = { kind: 'session', id: '00000000-0000-4000-8000-000000000001' };
const COMMAND: HeadlessEvent = { kind: 'tool', name: 'run_shell_command' };

describe('what Qwen Code prints (recorded)', () => {
  test('a turn with a hold is one turn, with its calls and one result', () => {
    expect(loud(read('hold'))).toEqual([
      ...[SESSION, { kind: 'turn' }, COMMAND, COMMAND],
      { kind: 'result', ok: true, usd: null, trouble: null },
    ]);
  });

  test('what was declined is named as a rule would name it', () => {
    const events = read('denied');
    expect(events.flatMap((event) => (event.kind === 'denied' ? [event.what] : []))).toEqual([
      'write_file(/home/dev/a.txt)',
      'run_shell_command(npm test)',
      'run_shell_command(git -c alias.x=!id x)',
      'run_shell_command(git status > b.txt)',
      'run_shell_command(git status $(touch owned))',
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'result', ok: true });
  });

  test.each([
    ['plain-429', 'limit', '429 slow down'],
    ['overloaded', 'server', '503 Our servers are overloaded.'],
    ['server', 'server', '500 a scripted failure'],
    ['context', 'context', expect.stringContaining('maximum context length is 128000 tokens')],
    ['too-large', 'context', expect.stringMatching(/^Context is too large to send safely/)],
    ['network', 'network', 'Connection error. (cause: fetch failed)'],
    ['login', 'login', '401 Incorrect API key provided: scripted.'],
    ['billing', 'billing', '402 Insufficient Balance'],
    ['quota', 'billing', expect.stringContaining('check your plan and billing details')],
    ['refused', 'refused', '400 a scripted failure'],
  ])('%s is trouble of the kind %s', (name, what, said) => {
    const reader = new QwenReader();
    const [result] = read(name, reader).filter(({ kind }) => kind === 'result');
    expect(result).toMatchObject({ ok: false, usd: null, trouble: { what, resetsAt: null, said } });
    expect(reader.trouble('', true)).toMatchObject({ what });
  });

  test('while it tries again by itself, for an hour, it is alive and in no trouble', () => {
    const reader = new QwenReader();
    const lines = recordedLines('qwen/stream-plain-429.jsonl').filter((line) => !line.includes('"result"'));
    expect(lines.filter((line) => line.includes('"subtype":"retry"'))).toHaveLength(20);
    expect(loud(lines.flatMap((line) => reader.line(line))).map(({ kind }) => kind)).toEqual([
      ...['session', 'turn', 'tool'],
    ]);
    expect(reader.trouble('', true)).toBeNull();
  });

  test('one that is interrupted has no result', () => {
    expect(loud(read('interrupted'))).toEqual([SESSION, { kind: 'turn' }, COMMAND]);
  });

  test('what it complained of is said where nothing else is, but not of its own tools', () => {
    const said = 'No saved session found with ID 0. Run `qwen --resume` without an ID to choose.';
    expect(new QwenReader().trouble(`${said}\n`, true)).toEqual({ what: 'unknown', resetsAt: null, said });
    expect(new QwenReader().trouble(`${said}\n`, false)).toBeNull();
    expect(new QwenReader().trouble('Ripgrep not available: EACCES. Falling back.\n', true)).toBeNull();
  });

  test('unknown lines are passed over', () => {
    const reader = new QwenReader();
    const lines = ['', 'text', '[]', 'null', '{"type":"news"}', '{"type":7}', '{}', '{"type":"result"'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"system","subtype":"init"}')).toEqual([{ kind: 'turn' }]);
    expect(reader.line('{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}')).toEqual([
      { kind: 'tool', name: 'a tool' },
    ]);
    expect(reader.line('{"type":"result","is_error":true,"permission_denials":[{}]}')).toMatchObject([
      { kind: 'denied', what: 'a tool' },
      { kind: 'result', ok: false, trouble: { what: 'unknown' } },
    ]);
  });
});

describe('a reader of what Qwen Code prints', () => {
  const talk = () => {
    const reader = new QwenReader();
    const say = (type: string, more: object = {}) => reader.line(JSON.stringify({ type, ...more }));
    return { reader, say };
  };

  test.each([
    [{ command: 'ls', file_path: '/a' }, 'T(ls)'],
    [{ file_path: '/a', url: 'u' }, 'T(/a)'],
    [{ notebook_path: '/n' }, 'T(/n)'],
    [{ url: 'u' }, 'T(u)'],
    [{ other: 'x' }, 'T'],
  ])('names a call with %j as %s', (input, what) => {
    const denials = [{ tool_name: 'T', tool_input: input }];
    expect(talk().say('result', { is_error: false, permission_denials: denials })).toEqual([
      { kind: 'denied', what },
      { kind: 'result', ok: true, usd: null, trouble: null },
    ]);
  });

  test.each<[string, object]>([
    ['user', {}],
    ['stream_event', {}],
    ['system', { subtype: 'retry', session_id: 's' }],
    ['assistant', {}],
    ['assistant', { message: { content: [{ type: 'text', name: 'x' }] } }],
  ])('takes a line for a sign of life: %s %j', (type, more) => {
    expect(talk().say(type, more)).toEqual([{ kind: 'alive' }]);
  });

  test('a turn that succeeds after one that failed leaves no trouble', () => {
    const { reader, say } = talk();
    say('result', { is_error: true, error: { message: '[API Error: 429 slow]' } });
    expect(reader.trouble('', false)).toMatchObject({ what: 'limit' });
    say('result', { is_error: false });
    expect(reader.trouble('', false)).toBeNull();
  });

  test('what it complained of before it spoke of its tools is said', () => {
    const stderr = 'No such model\nRipgrep not available: EACCES.\n';
    expect(new QwenReader().trouble(stderr, true)).toMatchObject({ said: 'No such model' });
    expect(new QwenReader().trouble('So: Ripgrep not available\n', true)).not.toBeNull();
  });
});
