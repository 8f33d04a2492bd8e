import { describe, expect, it } from 'vitest';
import { readAnyLine } from './any-line.ts';
import { decodeCommon } from './decode.ts';
import { nameField, objectField, objectsField, parseObject, saidIn, textField, writtenAt } from './fields.ts';
import { addUp, countIn } from './usage.ts';
import { usageByLine } from './usage-by-line.ts';
import { readUuidLine } from './uuid-line.ts';

describe('a field of outside JSON', () => {
  it.each<[unknown, string | null, string | null]>([
    ['a', 'a', 'a'],
    [' ', ' ', ' '],
    ['a\0b', 'a\0b', null],
    ['', null, null],
    [7, null, null],
    [null, null, null],
    [undefined, null, null],
  ])('%j is the text %j and the name %j', (value, text, name) => {
    expect([textField({ f: value }, 'f'), nameField({ f: value }, 'f')]).toEqual([text, name]);
  });

  it('is an object, or a list of them', () => {
    const one = { a: 1 };
    expect([one, null, [], 'x', 7, undefined].map((f) => objectField({ f }, 'f'))).toEqual([
      ...[one, null, null, null, null, null],
    ]);
    expect(objectsField({ f: [one, null, [], 'x', {}] }, 'f')).toEqual([one, {}]);
    expect([one, 'x', undefined].map((f) => objectsField({ f }, 'f'))).toEqual([[], [], []]);
  });

  it('is a time', () => {
    expect(writtenAt({ timestamp: '2026-01-01T00:00:00Z' })).toEqual({ at: Date.UTC(2026, 0, 1) });
    expect([{}, { timestamp: 'soon' }, { timestamp: 7 }].map(writtenAt)).toEqual([{}, {}, {}]);
  });

  it.each<[unknown, number]>([
    [7, 7],
    [1, 1],
    [0, 0],
    [-1, 0],
    [1.5, 0],
    [2 ** 53, 0],
    ['7', 0],
    [undefined, 0],
  ])('%j counts %d', (value, count) => {
    expect(countIn({ f: value }, 'f')).toBe(count);
    expect(countIn(null, 'f')).toBe(0);
  });

  it('is added up to what a record can hold', () => {
    expect([addUp(), addUp(1, 2, 3), addUp(Number.MAX_SAFE_INTEGER, 5)]).toEqual([
      ...[0, 6, Number.MAX_SAFE_INTEGER],
    ]);
  });
});

it.each<[readonly string[], object | null]>([
  [[], null],
  [['a'], { messageId: 'm', text: 'a' }],
  [['a', 'b'], { messageId: 'm', text: 'a\nb', blocks: ['a', 'b'] }],
])('what %j say', (blocks, said) => {
  expect(saidIn('m', blocks)).toEqual(said);
});

it.each<[string, object | null]>([
  ['{"a":1}', { a: 1 }],
  ['  {"a":1}\r\n', { a: 1 }],
  ['{', null],
  ['{"a":1', null],
  ['"a":1}', null],
  ['{"a":}', null],
  ['[{}]', null],
  ['', null],
])('the line %j holds %j', (line, object) => {
  expect(parseObject(line)).toEqual(object);
});

describe('a line with a uuid', () => {
  const nothing = { marker: 'u', toolCall: false, startsTurn: false, said: null };
  it.each<[object, object | null]>([
    [{}, null],
    [{ isSidechain: false, message: { a: 1 } }, { a: 1 }],
    [{ isSidechain: true, message: { a: 1 } }, null],
    [{ message: 'text' }, null],
  ])('%j has the message %j', (more, message) => {
    const entry = { uuid: 'u', ...more };
    expect(readUuidLine(JSON.stringify(entry))).toEqual({ entry, message, nothing });
  });

  it.each(['', '{}', '{"uuid":""}', '{"uuid":7}', '{"a":"\\"uuid\\""}', '"uuid"'])('is not %j', (line) => {
    expect(readUuidLine(line)).toBe(null);
  });

  it('may have a time', () => {
    expect(readUuidLine('{"uuid":"u","timestamp":"2026-01-01T00:00:00Z"}')?.nothing).toEqual({
      ...nothing,
      at: Date.UTC(2026, 0, 1),
    });
  });
});

describe('what all stops have in common', () => {
  const none = {
    ...{ client: 'c', session: null, turn: null, cwd: null, transcriptPath: null, lastMessage: null },
    ...{ planMode: false, backgroundTasks: [] },
  };
  it.each<[object, object]>([
    [{}, {}],
    [{ session_id: 'a', sessionId: 'b', conversation_id: 'd' }, { session: 'a' }],
    [{ session_id: '', sessionId: 'b', conversation_id: 'd' }, { session: 'b' }],
    [{ conversation_id: 'd' }, { session: 'd' }],
    [
      { cwd: '/a', transcript_path: '/t', last_assistant_message: 'Done.' },
      { cwd: '/a', transcriptPath: '/t', lastMessage: 'Done.' },
    ],
    [{ cwd: '/a\0', transcript_path: '/t\0', last_assistant_message: 'a\0' }, { lastMessage: 'a\0' }],
    [{ permission_mode: 'plan' }, { planMode: true }],
    [{ permission_mode: 'default' }, {}],
  ])('%j', (payload, more) => {
    expect(decodeCommon({ ...payload }, 'c')).toEqual({ ...none, ...more });
  });
});

describe('a line of a host that nobody knows', () => {
  const line = (more: object = {}) => ({
    marker: 'm',
    toolCall: false,
    startsTurn: false,
    said: null,
    ...more,
  });

  it('is read by the first that gets something out of it, else by the first that knows it', () => {
    const [plain, other] = [line(), line({ marker: 'n' })];
    for (const more of [{ toolCall: true }, { startsTurn: true }, { said: { messageId: 'x', text: 't' } }]) {
      const telling = line(more);
      expect(readAnyLine('x', [() => null, () => plain, () => telling, () => line(more)])).toBe(telling);
    }
    expect(readAnyLine('x', [() => null, () => plain, () => other])).toBe(plain);
    expect(readAnyLine('x', [() => null])).toBe(null);
  });

  const bare = (entry: object) => readAnyLine(JSON.stringify(entry), []);

  it('may be Claude Code’s without its ids', () => {
    expect(bare({ type: 'assistant', message: { content: 'Done.' } })?.said?.text).toBe('Done.');
    expect(
      bare({ type: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } })?.said?.text,
    ).toBe('Done.');
    expect(bare({ type: 'user', message: { role: 'user', content: 'Do it.' } })?.startsTurn).toBe(true);
    expect(bare({ type: 'assistant', message: null })?.said).toBe(null);
  });

  it.each([
    { type: 'assistant', uuid: 'u', message: { content: 'Done.' } },
    { type: 'system', message: { content: 'Done.' } },
    {},
  ])('is not %j', (entry) => {
    expect(bare(entry)).toBe(null);
  });
});

describe('tokens in a line for each answer', () => {
  const usage = usageByLine({
    ...{ sign: '"used"', id: 'id', input: 'in', cached: 'old', output: ['out', 'more'] },
    usedIn: (entry) => objectField(entry, 'used'),
  });
  const read = (used: unknown, more: object = {}) => usage.read(JSON.stringify({ id: 'm', used, ...more }));
  const none = { kind: 'message', id: 'm', tokens: 0, cacheRead: 0, at: null };

  it.each<[object, object]>([
    [{}, {}],
    [
      { in: 10, old: 4 },
      { tokens: 6, cacheRead: 4 },
    ],
    [
      { in: 4, old: 10, out: 1 },
      { tokens: 1, cacheRead: 10 },
    ],
    [{ in: 1, out: 2, more: 4 }, { tokens: 7 }],
  ])('%j', (used, more) => {
    expect(read(used)).toEqual({ ...none, ...more });
    expect(read(used, { timestamp: '2026-01-01T00:00:00Z' })).toEqual({
      ...{ ...none, ...more },
      at: Date.UTC(2026, 0, 1),
    });
  });

  it('are none without an id, or without numbers', () => {
    expect([read({}, { id: '' }), read('x'), usage.read('"used"'), usage.read('{"id":"m"}')]).toEqual([
      ...[null, null, null, null],
    ]);
    expect([usage.timeOf('x'), usage.timeOf('{"timestamp":"2026-01-01T00:00:00Z"}')]).toEqual([
      null,
      Date.UTC(2026, 0, 1),
    ]);
    expect(usage.files({ transcriptPath: null } as never)).toEqual([]);
  });
});
