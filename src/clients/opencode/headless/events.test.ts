import { describe, expect, test } from 'vitest';
import { recordedLines } from '../../../../test/support/recorded.ts';
import type { HeadlessEvent } from '../../headless.ts';
import { OpencodeReader } from './events.ts';

const read = (name: string, reader = new OpencodeReader()): HeadlessEvent[] =>
  recordedLines(`opencode/stream-${name}.jsonl`).flatMap((line) => reader.line(line));

const loud = (events: readonly HeadlessEvent[]): HeadlessEvent[] =>
  events.filter(({ kind }) => kind !== 'alive');

const SESSION: HeadlessEvent = { kind: 'session', id: 'ses_00000000000000000000000001' };
const TURN: HeadlessEvent = { kind: 'turn' };
const COMMAND: HeadlessEvent = { kind: 'tool', name: 'bash' };
const DONE: HeadlessEvent = { kind: 'result', ok: true, usd: null, trouble: null };

describe('what opencode prints (recorded)', () => {
  test('a turn with two holds is one turn, whose result comes when it has ended', () => {
    const reader = new OpencodeReader();
    expect(loud(read('hold', reader))).toEqual([SESSION, TURN, COMMAND, COMMAND]);
    expect(reader.ended()).toEqual([DONE]);
    expect(reader.trouble('', false)).toBeNull();
  });

  test('what a rule denies is named', () => {
    const reader = new OpencodeReader();
    const denied = read('denied', reader).flatMap((event) => (event.kind === 'denied' ? event.what : []));
    expect(denied).toHaveLength(19);
    expect(denied).toContain('bash(npm test > out.txt)');
    expect(denied).toContain('bash(git status && touch chained.txt)');
    expect(denied).toContain('write(/home/dev/other/w.txt)');
    expect(denied).not.toContain('bash(npm test)');
    expect(reader.ended()).toEqual([DONE]);
  });

  test.each([
    ['login', 'login', 'bad key'],
    ['forbidden', 'login', 'no access'],
    ['billing', 'billing', 'Insufficient balance'],
    ['refused', 'refused', 'a scripted failure'],
  ])('%s is trouble of the kind %s', (name, what, said) => {
    const reader = new OpencodeReader();
    expect(loud(read(name, reader))).toEqual([SESSION, TURN, COMMAND]);
    const trouble = { what, resetsAt: null, said };
    expect(reader.ended()).toEqual([{ kind: 'result', ok: false, usd: null, trouble }]);
    expect(reader.trouble('', true)).toEqual(trouble);
  });

  test.each([
    ['plain-429', 'limit', 'Rate limit reached for requests'],
    ['quota', 'limit', expect.stringMatching(/^You exceeded your current quota/)],
    ['overloaded', 'server', 'Overloaded'],
    ['server', 'server', 'The server had an error.'],
    ['network', 'network', expect.stringMatching(/^Cannot connect to API/)],
  ])('%s, which it tries five times, is trouble of the kind %s', (name, what, said) => {
    const reader = new OpencodeReader();
    expect(read(name, reader).filter(({ kind }) => kind === 'result')).toEqual([]);
    const tries = recordedLines(`opencode/stream-${name}.jsonl`).filter((line) => line.includes('"retry"'));
    expect(tries).toHaveLength(5);
    expect(reader.ended()).toMatchObject([{ ok: false, trouble: { what, resetsAt: null, said } }]);
  });

  test('a wait that its server names is a limit at once, and is said once', () => {
    const reader = new OpencodeReader();
    const lines = recordedLines('opencode/stream-limit-with-reset.jsonl');
    const next = Date.now() + 3_600_000;
    const last = (lines.at(-1) ?? '').replace(/"next":\d+/, `"next":${next}`);
    for (const line of lines.slice(0, -1)) reader.line(line);
    const said = 'Rate limit reached for requests';
    const trouble = { what: 'limit', resetsAt: next, said };
    expect(reader.line(last)).toEqual([{ kind: 'result', ok: false, usd: null, trouble }]);
    expect(reader.line(last)).toEqual([{ kind: 'alive' }]);
    expect(reader.ended()).toEqual([]);
    // When it goes on by itself, that is a turn to whoever waits.
    expect(reader.line('{"type":"step_start","sessionID":"ses_1"}')).toEqual([TURN]);
    expect(reader.line('{"type":"step_start","sessionID":"ses_1"}')).toEqual([{ kind: 'alive' }]);
  });

  test('a context that is too long is trouble once its summaries do not help', () => {
    const results = read('context').filter(({ kind }) => kind === 'result');
    expect(results[0]).toMatchObject({ ok: false, trouble: { what: 'context' } });
    const reader = new OpencodeReader();
    for (const line of recordedLines('opencode/stream-context.jsonl').slice(0, 8)) reader.line(line);
    expect(reader.ended()).toEqual([DONE]);
  });

  test('what the session has cost so far comes with its result', () => {
    const reader = new OpencodeReader();
    reader.line('{"type":"holdfast","sessionID":"ses_1","cost":0.25}');
    reader.line('{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop"}}');
    expect(reader.ended()).toEqual([{ ...DONE, usd: 0.25 }]);
  });

  test.each(['killed', 'interrupted'])('one that is %s has no result', (name) => {
    const reader = new OpencodeReader();
    expect(loud(read(name, reader))).toEqual([SESSION, TURN, COMMAND]);
    expect(reader.ended()).toEqual([]);
    expect(reader.trouble('', true)).toBeNull();
  });

  test('one that did not begin says why', () => {
    const trouble = new OpencodeReader().trouble(
      '\u001b[91m\u001b[1mError: \u001b[0mSession not found\n',
      true,
    );
    expect(trouble).toEqual({ what: 'unknown', resetsAt: null, said: 'Error: Session not found' });
    expect(new OpencodeReader().trouble('x\n', false)).toBeNull();
  });

  test('unknown lines are passed over', () => {
    const reader = new OpencodeReader();
    const lines = ['', 'text', '[]', '{"type":"news"}', '{"type":[]}', '{}'];
    expect(lines.flatMap((line) => reader.line(line))).toEqual([]);
    expect(reader.line('{"type":"tool_use"}')).toEqual([{ kind: 'tool', name: 'a tool' }]);
    expect(reader.line('{"type":"tool_use","part":{"tool":"todowrite"}}')).toEqual([{ kind: 'alive' }]);
    expect(reader.line('{"type":"error"}')).toEqual([{ kind: 'alive' }]);
    expect(reader.trouble('', true)).toMatchObject({ what: 'unknown', said: 'The turn failed.' });
  });
});

describe('a reader of what opencode prints', () => {
  const talk = () => {
    const reader = new OpencodeReader();
    const say = (type: string, more: object = {}) => reader.line(JSON.stringify({ type, ...more }));
    return { reader, say };
  };
  const ALIVE: HeadlessEvent = { kind: 'alive' };
  const overflow = { error: { name: 'ContextOverflowError' } };

  test('a third context in a row that is too long is trouble; work in between begins the count again', () => {
    const { say } = talk();
    const kinds = ['error', 'error', 'tool_use', 'error', 'step_start', 'error', 'error', 'error'].map(
      (type) => say(type, overflow).map(({ kind }) => kind),
    );
    expect(kinds.flat()).toEqual(['alive', 'alive', 'tool', 'alive', 'alive', 'alive', 'result', 'alive']);
  });

  test('an error of another kind does not count as one', () => {
    const { say } = talk();
    for (let at = 0; at < 4; at++) expect(say('error', { error: { name: 'APIError' } })).toEqual([ALIVE]);
  });

  test('only a last step that stops is the end of a turn', () => {
    const { reader, say } = talk();
    say('step_finish', { part: { reason: 'stop' } });
    expect(reader.ended()).toEqual([DONE]);
    expect(reader.trouble('so\n', true)).toBeNull();
    say('step_start');
    expect(reader.ended()).toEqual([]);
    say('step_finish', { part: { reason: 'tool-calls' } });
    expect(reader.ended()).toEqual([]);
    expect(reader.trouble('so\n', true)).toMatchObject({ said: 'so' });
  });

  test('an error that it got over is none', () => {
    const { reader, say } = talk();
    say('error', { error: { data: { message: 'no', statusCode: 500 } } });
    expect(reader.trouble('', false)).toMatchObject({ what: 'server' });
    say('step_start');
    expect(reader.trouble('', false)).toBeNull();
  });

  test.each([
    [{ command: 'ls', filePath: '/a' }, 'T(ls)'],
    [{ filePath: '/a', url: 'u' }, 'T(/a)'],
    [{ url: 'u' }, 'T(u)'],
    [{ other: 'x' }, 'T'],
  ])('names a call with %j as %s', (input, what) => {
    const error = 'The user has specified a rule which prevents you from using this';
    expect(talk().say('tool_use', { part: { tool: 'T', state: { error, input } } })).toEqual([
      { kind: 'tool', name: 'T' },
      { kind: 'denied', what },
    ]);
    expect(talk().say('tool_use', { part: { tool: 'T', state: { error: `So: ${error}`, input } } })).toEqual([
      { kind: 'tool', name: 'T' },
    ]);
  });

  test.each<[string, object]>([
    ['text', {}],
    ['reasoning', {}],
    ['step_finish', {}],
    ['step_start', {}],
    ['holdfast', { cost: '1' }],
    ['tool_use', { part: { tool: 'todoread' } }],
  ])('takes a line for a sign of life: %s %j', (type, more) => {
    expect(talk().say(type, more)).toEqual([ALIVE]);
  });

  test('names its session once', () => {
    const { say } = talk();
    expect(say('text', { sessionID: 's' })).toEqual([{ kind: 'session', id: 's' }, TURN, ALIVE]);
    expect(say('text', { sessionID: 't' })).toEqual([ALIVE]);
  });
});
