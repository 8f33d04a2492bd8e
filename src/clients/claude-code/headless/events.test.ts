import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { ClaudeReader } from './events.ts';

const read = (name: string, reader = new ClaudeReader()): HeadlessEvent[] =>
  recordedLines(`claude-code/stream-${name}-2.1.325.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive' && kind !== 'session');

describe('what Claude Code prints (recorded)', () => {
  test('a turn with two holds is one turn, with its calls and one result', () => {
    const events = read('hold');
    const session = '00000000-0000-4000-8000-000000000003';
    expect(events.filter(({ kind }) => kind === 'session')).toEqual([{ kind: 'session', id: session }]);
    expect(loud(events)).toEqual([
      { kind: 'turn' },
      { kind: 'tool', name: 'Bash' },
      { kind: 'tool', name: 'Bash' },
      { kind: 'result', ok: true, usd: 0.004, trouble: null },
    ]);
  });

  test('a denied call is named as a rule would name it, and only once', () => {
    const denied = read('denied').filter(({ kind }) => kind === 'denied');
    expect(denied).toEqual([
      { kind: 'denied', what: 'Bash(npm test)' },
      { kind: 'denied', what: 'Bash(node -e 1)' },
    ]);
  });

  test('a denial that only the result names is one too', () => {
    const reader = new ClaudeReader();
    const lines = recordedLines('claude-code/stream-denied-2.1.325.jsonl');
    const events = lines
      .filter((line) => !line.includes('permission_denied') && !line.includes('"type":"tool_use"'))
      .flatMap((line) => reader.line(line));
    expect(events.filter(({ kind }) => kind === 'denied')).toEqual([
      { kind: 'denied', what: 'Bash(npm test)' },
      { kind: 'denied', what: 'Bash(node -e 1)' },
    ]);
  });

  test('a usage limit says when it ends; after it the same process is well again', () => {
    const reader = new ClaudeReader();
    const results = read('limit', reader).filter(({ kind }) => kind === 'result');
    expect(results).toEqual([
      {
        kind: 'result',
        ok: false,
        usd: 0.0008,
        trouble: {
          what: 'limit',
          resetsAt: expect.any(Number),
          said: "You've hit your limit · resets 12:24am (UTC)",
        },
      },
      { kind: 'result', ok: true, usd: 0.0016, trouble: null },
    ]);
    const [limit] = results;
    if (limit?.kind !== 'result' || limit.trouble === null) throw new Error('no limit');
    expect(new Date(limit.trouble.resetsAt ?? 0).toISOString()).toBe('2026-11-17T00:24:09.000Z');
    expect(reader.trouble('', false)).toBeNull();
  });

  test.each([
    ['plain-429', 'limit', 'API Error: Request rejected (429) · slow down'],
    ['overloaded', 'server', expect.stringMatching(/^API Error: 529 Overloaded/)],
    ['server', 'server', expect.stringMatching(/^API Error: 500 Internal server error/)],
    ['context', 'context', 'Prompt is too long'],
    ['network', 'network', expect.stringContaining('ECONNREFUSED')],
    ['login', 'login', 'Invalid API key · Fix external API key'],
    ['billing', 'billing', 'Credit balance is too low'],
    ['refused', 'refused', 'API Error: 400 a scripted failure'],
    ['no-session', 'unknown', expect.stringMatching(/^No conversation found with session ID: 0/)],
  ])('%s is trouble of the kind %s', (name, what, said) => {
    const reader = new ClaudeReader();
    const [result] = read(name, reader).filter(({ kind }) => kind === 'result');
    expect(result).toMatchObject({ ok: false, trouble: { what, resetsAt: null, said } });
    expect(reader.trouble('', true)).toMatchObject({ what, said });
  });

  test('one that is killed in mid-command has no result, and is in no trouble of its own', () => {
    const reader = new ClaudeReader();
    expect(loud(read('killed', reader)).map(({ kind }) => kind)).toEqual(['turn', 'tool']);
    expect(reader.trouble('', true)).toBeNull();
  });

  test('one that is interrupted has a result that is no trouble', () => {
    const reader = new ClaudeReader();
    expect(loud(read('interrupted', reader)).at(-1)).toMatchObject({
      kind: 'result',
      ok: false,
      trouble: null,
    });
    expect(reader.trouble('', true)).toBeNull();
  });

  test('a long command says that it is alive', () => {
    const lines = recordedLines('claude-code/stream-progress-2.1.325.jsonl');
    const [progress = ''] = lines.filter((line) => line.includes('tool_progress'));
    expect(new ClaudeReader().line(progress)).toEqual([{ kind: 'alive' }]);
  });

  test('what it complained of is said where nothing else is', () => {
    const reader = new ClaudeReader();
    expect(reader.trouble('a warning\nerror: unknown option \u001b[31m--x\n\n', true)).toEqual({
      what: 'unknown',
      resetsAt: null,
      said: 'error: unknown option [31m--x',
    });
    expect(reader.trouble('a warning', false)).toBeNull();
  });

  test('unknown lines are passed over', () => {
    const reader = new ClaudeReader();
    const lines = ['', 'text', '[]', 'null', '{"type":"news"}', '{"type":7}', '{}', '{"type":"result"'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"result"}')).toEqual([
      { kind: 'result', ok: false, usd: null, trouble: null },
    ]);
    expect(reader.line('{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}')).toEqual([
      { kind: 'tool', name: 'a tool' },
    ]);
  });

  test('a trouble is forgotten when the next turn begins', () => {
    const reader = new ClaudeReader();
    const say = (entry: object) => reader.line(JSON.stringify({ ...entry, session_id: 's1' }));
    say({ type: 'result', is_error: true, terminal_reason: 'prompt_too_long', result: 'Prompt is too long' });
    expect(reader.trouble('', true)).toMatchObject({ what: 'context' });
    say({ type: 'system', subtype: 'init' });
    expect(reader.trouble('', true)).toBeNull();
  });
});

describe('a reader of what Claude Code prints', () => {
  const talk = () => {
    const reader = new ClaudeReader();
    const say = (type: string, more: object = {}) => reader.line(JSON.stringify({ type, ...more }));
    const call = (id: string, input: object, name = 'Bash') =>
      say('assistant', { message: { content: [{ type: 'tool_use', id, name, input }] } });
    const deny = (id: string | null) =>
      say('system', { subtype: 'permission_denied', tool_use_id: id, tool_name: 'Bash' });
    return { say, call, deny };
  };
  const denied = (what: string): HeadlessEvent[] => [{ kind: 'denied', what }];

  test('remembers the last 200 calls, until the turn is over', () => {
    const { say, call, deny } = talk();
    for (let at = 0; at <= 200; at++) call(`c${at}`, { command: `echo ${at}` });
    expect(deny('c0')).toEqual(denied('Bash'));
    expect(deny('c1')).toEqual(denied('Bash(echo 1)'));
    say('result', { is_error: false });
    expect(deny('c2')).toEqual(denied('Bash'));
  });

  test('names a call that is denied once by its id, and each one that has none', () => {
    const { call, deny, say } = talk();
    call('a', { command: 'ls' });
    expect([deny('a'), deny('a'), deny(null), deny(null)]).toEqual([
      denied('Bash(ls)'),
      [],
      denied('Bash'),
      denied('Bash'),
    ]);
    expect(say('result', { is_error: false, permission_denials: [{ tool_use_id: 'b' }] })).toMatchObject([
      { kind: 'denied', what: 'a tool' },
      { kind: 'result', ok: true },
    ]);
  });

  test.each([
    [{ command: 'ls', file_path: '/a' }, 'T(ls)'],
    [{ file_path: '/a', url: 'u' }, 'T(/a)'],
    [{ notebook_path: '/n' }, 'T(/n)'],
    [{ url: 'u' }, 'T(u)'],
    [{ skill: 's' }, 'T(s)'],
    [{ pattern: 'x' }, 'T'],
  ])('names a call with %j as %s', (input, what) => {
    const { call, deny } = talk();
    call('a', input, 'T');
    expect(deny('a')).toEqual(denied(what));
  });

  const rejected = { rate_limit_info: { status: 'rejected', resetsAt: 7 } };
  const failed = { is_error: true, result: 'x' };
  test.each<[string, (say: ReturnType<typeof talk>['say']) => void, object]>([
    ['a limit’s own event', (say) => say('rate_limit_event', rejected), { what: 'unknown', resetsAt: null }],
    [
      'the row of the error',
      (say) =>
        say('assistant', { is_api_error_message: true, error: 'rate_limit', api_error_params: rejected }),
      { what: 'limit', resetsAt: 7000 },
    ],
    [
      'both, of which the last says no time',
      (say) => {
        say('rate_limit_event', rejected);
        say('rate_limit_event');
        say('assistant', { is_api_error_message: true, error: 'rate_limit' });
      },
      { what: 'limit', resetsAt: 7000 },
    ],
  ])('says in the result what was told by %s, and not in the next one', (_, before, trouble) => {
    const { say } = talk();
    before(say);
    expect(say('result', failed)).toMatchObject([{ kind: 'result', ok: false, trouble }]);
    expect(say('result', failed)).toMatchObject([{ trouble: { what: 'unknown' } }]);
    expect(say('result', { ...failed, api_error_status: 429 })).toMatchObject([
      { trouble: { what: 'limit', resetsAt: null } },
    ]);
  });

  test('names a session once, by what the system says alone', () => {
    const { say } = talk();
    expect(say('result', { session_id: 'other' })).toHaveLength(1);
    const session = (id: string): HeadlessEvent => ({ kind: 'session', id });
    expect(say('system', { session_id: 's' })).toEqual([session('s'), { kind: 'alive' }]);
    expect(say('system', { session_id: 's' })).toEqual([{ kind: 'alive' }]);
    expect(say('system', { session_id: 't', subtype: 'init' })).toEqual([session('t'), { kind: 'turn' }]);
  });

  test.each([
    ['user', {}],
    ['tool_progress', {}],
    ['stream_event', {}],
    ['rate_limit_event', {}],
    ['assistant', {}],
    ['assistant', { message: { content: [{ type: 'text', text: 'x' }] } }],
    ['assistant', { is_api_error_message: true, message: { content: [{ type: 'tool_use', name: 'T' }] } }],
  ])('takes a line for a sign of life: %s %j', (type, more) => {
    expect(talk().say(type, more)).toEqual([{ kind: 'alive' }]);
  });
});
