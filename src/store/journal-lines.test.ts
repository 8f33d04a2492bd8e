import { describe, expect, it, test } from 'vitest';
import { guardInTodaysWords, isJournalLine, parseJournalLine } from './journal-lines.ts';

const stop = {
  schema: 2,
  time: '2026-01-01T00:00:00.000Z',
  event: 'stop',
  client: 'claude-code',
  session: 's1',
  turn: null,
  workflow: 'toy',
  run: 'a',
  state: {},
  facts: {},
  guard: null,
  step: { kind: 'hold' },
  answer: 'hold',
  notice: false,
  error: null,
  milliseconds: 12.3,
};
const { schema: _, event: __, ...bare } = stop;
const started = { schema: 2, time: 't', session: null, event: 'start', workflow: 'toy', run: 'a' };

const parse = (value: unknown) => parseJournalLine(JSON.stringify(value));

describe('a line of the journal', () => {
  test.each([
    stop,
    started,
    { ...started, event: 'adopt', session: 's1' },
    { ...started, event: 'cancel' },
    { ...started, event: 'end', outcome: 'limit' },
    { ...started, event: 'end', outcome: null },
  ])('is read as it was written: %j', (line) => {
    expect(parse(line)).toEqual(line);
  });

  test.each([
    ['time', 1],
    ['time', undefined],
    ['answer', 'perhaps'],
    ['session', 1],
    ['workflow', {}],
    ['run', undefined],
    ['error', false],
    ['event', 'work-begun'],
    ['event', 1],
    ['event', undefined],
  ])('is none of ours when its %s is %j', (key, value) => {
    expect(parse({ ...stop, [key]: value })).toBeNull();
  });

  test.each([
    ['workflow', null],
    ['run', null],
    ['run', 1],
    ['session', undefined],
  ])('about a run is none of ours when its %s is %j', (key, value) => {
    for (const event of ['start', 'adopt', 'cancel', 'end'])
      expect(parse({ ...started, event, [key]: value })).toBeNull();
  });

  it('may know more than we do', () => {
    expect(parse({ ...stop, schema: 3, later: true })).toEqual({ ...stop, later: true });
    expect(parse({ ...started, event: 'end', outcome: 'exploded' })).toMatchObject({ outcome: null });
  });

  it('has what a sentence needs, also where it says nothing of it', () => {
    const strange = { toString: 1 };
    expect(parse({ ...stop, client: strange, milliseconds: strange })).toMatchObject({
      client: 'unknown',
      milliseconds: 0,
    });
  });
});

describe('a line of schema 1', () => {
  it('is a stop, with or without the word', () => {
    expect(parse(bare)).toEqual(stop);
    expect(parse({ ...bare, event: 'stop' })).toEqual(stop);
  });

  it('has the guard’s memory in today’s words', () => {
    const memory = { held: true, still: 4, unmoved: 3, unknown: 2, released: false, marker: 'm', told: 't' };
    const rest = { movement: {}, limits: { unmoved: 3, tools: 12, unknown: 12 }, result: 'hold' };

    expect(parse({ ...bare, guard: { memory, ...rest } })).toMatchObject({
      guard: {
        memory: {
          held: true,
          noProgress: 4,
          noTools: 3,
          toolsUnknown: 2,
          released: false,
          marker: 'm',
          notified: 't',
        },
        ...rest,
      },
    });
  });

  test.each([null, 1, 'text', [], {}, { memory: null }, { memory: [] }, { memory: { noTools: 1 } }])(
    'keeps a guard of another shape as it is: %j',
    (guard) => {
      expect(guardInTodaysWords(guard)).toEqual(guard);
    },
  );
});

describe('some Holdfast’s line', () => {
  test.each([
    [JSON.stringify(stop), true],
    [JSON.stringify(bare), true],
    [JSON.stringify({ ...started, event: 'from-later' }), true],
    [JSON.stringify({ ...started, event: 1 }), false],
    ['{"time":1}', false],
    ['{}', false],
    ['[]', false],
    ['torn', false],
  ])('is known from others: %s', (text, expected) => {
    expect(isJournalLine(text)).toBe(expected);
  });
});
