import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { CopilotReader } from './events.ts';

const read = (name: string, reader = new CopilotReader()): HeadlessEvent[] =>
  recordedLines(`copilot/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const COMMAND: HeadlessEvent = { kind: 'tool', name: 'bash' };

describe('what Copilot CLI prints (recorded)', () => {
  test('a turn with a hold is one turn, with its calls and one result', () => {
    expect(loud(read('hold'))).toEqual([
      ...[{ kind: 'turn' }, COMMAND, COMMAND],
      { kind: 'session', id: expect.stringMatching(/^00000000-/) },
      { kind: 'result', ok: true, usd: null, trouble: null },
    ]);
  });

  test('what was denied is named as a rule would name it', () => {
    const events = read('denied');
    expect(events.flatMap((event) => (event.kind === 'denied' ? [event.what] : []))).toEqual([
      'create(/home/dev/a.txt)',
      'shell(npm test)',
      'shell(git -c alias.x=!id x)',
      'shell(git status $(touch owned))',
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'result', ok: true });
  });

  test.each([
    ['plain-429', 'limit', expect.stringContaining('Last error: 429 slow down')],
    ['overloaded', 'server', expect.stringContaining('503 Our servers are overloaded.')],
    ['server', 'server', expect.stringContaining('Last error: 500')],
    ['context', 'context', expect.stringContaining('maximum context length is 128000 tokens')],
    ['network', 'network', expect.stringMatching(/^Could not connect to local model provider/)],
    ['login', 'login', expect.stringMatching(/^Authentication failed with provider/)],
    ['billing', 'billing', '402 Insufficient Balance'],
    ['quota', 'billing', expect.stringContaining('check your plan and billing details')],
    ['refused', 'refused', expect.stringMatching(/^400 /)],
  ])('%s is trouble of the kind %s', (name, what, said) => {
    const reader = new CopilotReader();
    const [result] = read(name, reader).filter(({ kind }) => kind === 'result');
    expect(result).toMatchObject({ ok: false, usd: null, trouble: { what, resetsAt: null, said } });
    expect(reader.trouble('', true)).toMatchObject({ what });
  });

  test('while it tries again by itself it is alive, and in no trouble', () => {
    const reader = new CopilotReader();
    const lines = recordedLines('copilot/stream-plain-429.jsonl').filter(
      (line) => !/"type":"(?:result|session\.error)"/.test(line),
    );
    expect(lines.filter((line) => line.includes('"assistant.turn_retry"'))).toHaveLength(5);
    expect(loud(lines.flatMap((line) => reader.line(line))).map(({ kind }) => kind)).toEqual([
      'turn',
      'tool',
    ]);
    expect(reader.trouble('', true)).toBeNull();
  });

  test('one that is interrupted has no result', () => {
    expect(loud(read('interrupted'))).toEqual([{ kind: 'turn' }, COMMAND]);
  });

  test('what it complained of is said where nothing else is', () => {
    const said = "Error: No session, task, or name matched '0'.";
    expect(new CopilotReader().trouble(`${said}\n`, true)).toEqual({ what: 'unknown', resetsAt: null, said });
    expect(new CopilotReader().trouble(`${said}\n`, false)).toBeNull();
  });

  test('an error that it got over is none', () => {
    const reader = new CopilotReader();
    reader.line('{"type":"session.error","data":{"errorType":"query","statusCode":500,"message":"no"}}');
    expect(reader.trouble('', true)).toMatchObject({ what: 'server' });
    expect(reader.line('{"type":"result","exitCode":0}')).toEqual([
      { kind: 'result', ok: true, usd: null, trouble: null },
    ]);
    expect(reader.trouble('', false)).toBeNull();
  });

  test('unknown lines are passed over', () => {
    const reader = new CopilotReader();
    const lines = ['', 'text', '[]', 'null', '{"type":"news"}', '{"type":7}', '{}', '{"type":"result"'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"tool.execution_start"}')).toEqual([{ kind: 'tool', name: 'a tool' }]);
    const denied = { type: 'tool.execution_complete', data: { error: { code: 'denied' } } };
    expect(reader.line(JSON.stringify(denied))).toEqual([{ kind: 'denied', what: 'a tool' }]);
  });
});

describe('a reader of what Copilot CLI prints', () => {
  const talk = () => {
    const reader = new CopilotReader();
    const say = (type: string, data: object = {}) => reader.line(JSON.stringify({ type, data }));
    const call = (toolCallId: string, input: object) =>
      say('tool.execution_start', { toolCallId, toolName: 'T', arguments: input });
    const deny = (toolCallId: string) =>
      say('tool.execution_complete', { toolCallId, error: { code: 'denied' } });
    return { reader, say, call, deny };
  };
  const denied = (what: string): HeadlessEvent[] => [{ kind: 'denied', what }];

  test('remembers the last 200 calls, each until it is over', () => {
    const { call, deny } = talk();
    for (let at = 0; at <= 200; at++) call(`c${at}`, { command: `echo ${at}` });
    expect(deny('c0')).toEqual(denied('a tool'));
    expect(deny('c1')).toEqual(denied('shell(echo 1)'));
    expect(deny('c1')).toEqual(denied('a tool'));
  });

  test.each([
    [{ command: 'ls', path: '/a' }, 'shell(ls)'],
    [{ path: '/a' }, 'T(/a)'],
    [{ url: 'u' }, 'T'],
  ])('names a call with %j as %s', (input, what) => {
    const { call, deny } = talk();
    call('a', input);
    expect(deny('a')).toEqual(denied(what));
  });

  test.each([
    ...['session.x', 'assistant.x', 'model.x', 'tool.x', 'hook.x', 'session.error'].map((type) => [type, 1]),
    ...['sessions.x', 'my.session.x', 'tool', 'news.x'].map((type) => [type, 0]),
  ] as [string, number][])('takes a line for a sign of life: %s, %d times', (type, count) => {
    expect(talk().say(type)).toEqual(Array.from({ length: count }, () => ({ kind: 'alive' })));
  });

  test('a call that fails is not denied, and a second message of the user is no turn', () => {
    const { say } = talk();
    expect(say('tool.execution_complete', { error: { code: 'failure' } })).toEqual([{ kind: 'alive' }]);
    expect([say('user.message'), say('user.message')]).toEqual([[{ kind: 'turn' }], [{ kind: 'alive' }]]);
  });

  test('a result that failed keeps the trouble, and names the session', () => {
    const { reader, say } = talk();
    say('session.error', { errorType: 'rate_limit', message: 'slow' });
    expect(reader.line('{"type":"result","exitCode":1,"sessionId":"s"}')).toMatchObject([
      { kind: 'session', id: 's' },
      { kind: 'result', ok: false, trouble: { what: 'limit' } },
    ]);
  });
});
