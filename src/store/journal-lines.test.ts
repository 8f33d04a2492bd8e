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

describe('what a line says of a run', () => {
  const about = { schema: 2, time: 't', session: null, workflow: 'toy', run: 'a' };

  it.each([
    [{ proof: 'proven' }, { proof: 'proven' }],
    [
      { proof: 'unproven', why: ['failed', 1] },
      { proof: 'unproven', why: ['failed'] },
    ],
    [{ proof: 'unproven', why: [] }, { proof: 'unproven' }],
    [{ proof: 'unproven', why: 'failed' }, { proof: 'unproven' }],
    [{ proof: 'much', why: ['failed'] }, {}],
  ])('at its end is what its claim was worth: %j', (said, read) => {
    const line = { ...about, event: 'end', outcome: 'completed' };
    expect(parse({ ...line, ...said })).toEqual({ ...line, ...read });
  });

  const review = {
    ...{ ...about, event: 'review', attempt: 'a1', reviewer: 'codex', model: 'm', file: 'r.md' },
    ...{ verdict: 'clean', usd: 0.5, milliseconds: 12 },
    tokens: { input: 1, cacheCreation: 2, cacheRead: 3, output: 4 },
  };

  it('of a review is what it should be, or nothing', () => {
    expect(parse(review)).toEqual(review);
    const listed = { high: 1, medium: 2, low: 3 };
    expect(parse({ ...review, listed })).toEqual({ ...review, listed });
    expect(parse({ ...review, listed: { high: -1, low: 'x' } })).toEqual({
      ...review,
      listed: { high: 0, medium: 0, low: 0 },
    });
    expect(parse({ ...review, listed: 3 })).toEqual(review);
    const odd = { attempt: 1, reviewer: null, model: {}, file: [], verdict: 2, usd: -1, milliseconds: 'x' };
    expect(parse({ ...review, ...odd, tokens: { input: '1', output: 7 } })).toEqual({
      ...review,
      ...{ attempt: 'unknown', reviewer: 'unknown', model: 'unknown', file: 'unknown' },
      ...{ verdict: null, usd: null, milliseconds: null },
      tokens: { input: 0, cacheCreation: 0, cacheRead: 0, output: 7 },
    });
    expect(parse({ ...review, tokens: {} })).toMatchObject({
      tokens: { input: 0, cacheCreation: 0, cacheRead: 0, output: 0 },
    });
    expect(parse({ ...review, usd: 0, tokens: null })).toEqual({ ...review, usd: 0, tokens: null });
    expect(parse({ ...review, run: null })).toBeNull();
  });

  it.each(['set', 'spent', 'raised'])('of a budget is that it was %s, and its limits', (what) => {
    const limits = { tokens: 1, timeMs: 2, reviews: 3, usd: 0.5 };
    const line = { ...about, event: 'budget', what, limits };
    expect(parse(line)).toEqual(line);
    const none = { tokens: null, timeMs: null, reviews: null, usd: null };
    expect(parse({ ...line, limits: { tokens: 'x', timeMs: -1 } })).toEqual({ ...line, limits: none });
    expect(parse({ ...line, limits: 5 })).toEqual({ ...line, limits: none });
    expect(parse({ ...line, what: 'lost' })).toBeNull();
    expect(parse({ ...line, workflow: 1 })).toBeNull();
  });

  it('of a driver is what it did, and why where it says so', () => {
    const drive = { ...about, event: 'drive', what: 'started' };
    expect(parse(drive)).toEqual(drive);
    expect(parse({ ...drive, run: null, why: 'w', until: 'u' })).toEqual({
      ...drive,
      ...{ run: null, why: 'w', until: 'u' },
    });
    for (const odd of [{ what: 1 }, { why: 1 }, { until: 1 }, { run: 1 }, { workflow: null }])
      expect(parse({ ...drive, ...odd })).toBeNull();
  });
});
