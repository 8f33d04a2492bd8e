import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { GeminiReader } from './events.ts';

const read = (name: string, reader = new GeminiReader()): HeadlessEvent[] =>
  recordedLines(`gemini/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const stderrOf = (name: string): string => recordedLines(`gemini/stream-${name}.stderr.txt`).join('\n');

const SESSION: HeadlessEvent = { kind: 'session', id: '00000000-0000-4000-8000-000000000001' };
const TURN: HeadlessEvent = { kind: 'turn' };
const COMMAND: HeadlessEvent = { kind: 'tool', name: 'run_shell_command' };
const DONE: HeadlessEvent = { kind: 'result', ok: true, usd: null, trouble: null };

describe('what Gemini CLI prints (recorded)', () => {
  test('a turn with two holds is one turn, with its calls and one result', () => {
    const holds = recordedLines('gemini/stream-hold.jsonl').filter((line) => line.includes('[ITERATION'));
    expect(holds).toHaveLength(2);
    const events = read('hold').map((event) =>
      event.kind === 'session' ? { ...event, id: '00000000-0000-4000-8000-000000000001' } : event,
    );
    expect(loud(events)).toEqual([SESSION, TURN, COMMAND, COMMAND, DONE]);
  });

  test('what it denies is named: what a rule denies, and what it would have to ask for', () => {
    const reader = new GeminiReader();
    const denied = read('denied', reader).flatMap((event) => (event.kind === 'denied' ? event.what : []));
    expect(denied).toHaveLength(11);
    expect(denied).toContain('run_shell_command(npm test > out.txt)');
    expect(denied).toContain('run_shell_command(git status && touch chained.txt)');
    expect(denied).toContain('run_shell_command(node -e 1)');
    expect(denied).toContain('write_file(/home/dev/project/package.json)');
    expect(denied).not.toContain('run_shell_command(npm test)');
    expect(reader.trouble('', false)).toBeNull();
  });

  test.each([
    ['limit', 'limit', 'You have exhausted your daily quota on this model.'],
    ['plain-429', 'limit', 'Resource has been exhausted (e.g. check quota).'],
    ['overloaded', 'server', 'The model is overloaded. Please try again later.'],
    ['server', 'server', 'An internal error has occurred.'],
    ['context', 'context', expect.stringMatching(/^The input token count/)],
    ['network', 'network', expect.stringContaining('fetch failed')],
    ['login', 'login', 'API key not valid. Please pass a valid API key.'],
    ['bad-key', 'login', 'API key not valid. Please pass a valid API key.'],
    ['refused', 'refused', 'a scripted failure'],
  ])('%s is trouble of the kind %s, once it has ended', (name, what, said) => {
    const reader = new GeminiReader();
    expect(read(name, reader).filter(({ kind }) => kind === 'result')).toEqual([]);
    const stderr = name === 'overloaded' || name === 'plain-429' ? stderrOf(name) : '';
    expect(reader.trouble(stderr, true)).toEqual({ what, resetsAt: null, said });
  });

  test('a limit that says for how long tells its end', () => {
    const reader = new GeminiReader();
    read('limit-with-reset', reader);
    const trouble = reader.trouble('  status: 429\n', true);
    expect(trouble).toMatchObject({ what: 'limit' });
    const seconds = Math.round(((trouble?.resetsAt ?? 0) - Date.now()) / 1000);
    expect(seconds).toBeGreaterThan(3990);
    expect(seconds).toBeLessThanOrEqual(4000);
  });

  test.each(['looping', 'turns'])('a turn that it ends itself (%s) is no trouble', (name) => {
    const reader = new GeminiReader();
    expect(read(name, reader).at(-1)).toEqual(DONE);
    expect(reader.trouble('', false)).toBeNull();
  });

  test.each(['killed', 'interrupted'])('one that is %s has no result', (name) => {
    const reader = new GeminiReader();
    expect(loud(read(name, reader))).toEqual([SESSION, TURN, COMMAND, COMMAND]);
    expect(reader.trouble('', true)).toBeNull();
  });

  test.each([
    ['\u001b[31mGemini CLI is not running in a trusted directory. To proceed, …\u001b[0m\n', 'unknown'],
    [
      'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.\nUpdate your environment and try again (no reload needed if using .env)!\n',
      'login',
    ],
    ['Invalid auth method selected.\n', 'login'],
    ['Error resuming session: Invalid session identifier "x".\n', 'unknown'],
  ])('one that did not begin says why: %j', (stderr, what) => {
    const trouble = new GeminiReader().trouble(stderr, true);
    expect(trouble).toMatchObject({ what });
    expect(trouble?.said).not.toMatch(/\[31m/);
    expect(new GeminiReader().trouble(stderr, false)).toBeNull();
  });

  test('unknown lines are passed over', () => {
    const reader = new GeminiReader();
    const lines = ['', 'text', '[]', '{"type":"news"}', '{"type":[]}', '{}', '{"type":"init"}'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"tool_result","status":"error","error":{}}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"tool_use"}')).toEqual([{ kind: 'tool', name: 'a tool' }]);
    expect(reader.line('{"type":"tool_use","tool_name":"update_topic"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"result"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.trouble('', true)).toMatchObject({ what: 'unknown', said: 'The turn failed.' });
  });
});

describe('a reader of what Gemini CLI prints', () => {
  const talk = () => {
    const reader = new GeminiReader();
    const say = (type: string, more: object = {}) => reader.line(JSON.stringify({ type, ...more }));
    return { reader, say };
  };
  const POLICY = { type: 'policy_violation' };

  test.each<[object, object, string]>([
    [{ command: 'ls', file_path: '/a' }, POLICY, 'T(ls)'],
    [{ file_path: '/a', url: 'u' }, POLICY, 'T(/a)'],
    [{ url: 'u' }, { message: 'T requires user confirmation, which is not there' }, 'T(u)'],
    [{ prompt: 'p' }, POLICY, 'T(p)'],
    [{ other: 'x' }, POLICY, 'T'],
  ])('names a call with %j that is denied by %j as %s, once', (parameters, error, what) => {
    const { say } = talk();
    say('tool_use', { tool_id: 'a', tool_name: 'T', parameters });
    expect(say('tool_result', { tool_id: 'a', error })).toEqual([{ kind: 'denied', what }]);
    expect(say('tool_result', { tool_id: 'a', error })).toEqual([{ kind: 'denied', what: 'a tool' }]);
  });

  test.each<[string, object]>([
    ['message', { role: 'assistant' }],
    ['error', {}],
    ['tool_use', { tool_name: 'write_todos' }],
    ['tool_result', { error: { type: 'failed', message: 'no' } }],
  ])('takes a line for a sign of life: %s %j', (type, more) => {
    expect(talk().say(type, more)).toEqual([{ kind: 'alive' }]);
  });

  test('a turn that succeeds after one that failed leaves no trouble', () => {
    const { reader, say } = talk();
    say('result', { status: 'error', error: { message: 'fetch failed' } });
    expect(reader.trouble('', false)).toMatchObject({ what: 'network' });
    expect(say('result', { status: 'success' })).toEqual([DONE]);
    expect(reader.trouble('', false)).toBeNull();
    expect(reader.trouble(' \n', true)).toBeNull();
  });
});
