import { describe, expect, it, test } from 'vitest';
import { parseSession, parseSidecar } from './parse-records.ts';
import {
  type Attempt,
  type GuardMemory,
  NEW_SESSION,
  NO_GUARD_MEMORY,
  newSidecar,
  type Sidecar,
} from './records.ts';

const memory: GuardMemory = {
  ...NO_GUARD_MEMORY,
  held: true,
  noProgress: 2,
  artifacts: { stamp: 'a', content: 'b' },
  marker: 'm',
  notified: 't',
};

const attempt: Attempt = {
  id: 'a1',
  work: 'review',
  reviewer: 'codex',
  kind: 'plan-review',
  number: 1,
  file: 'review.md',
  model: 'opus',
  owner: null,
  deadline: 1,
  status: 'running',
  verdict: null,
  before: 'hash',
};

const full: Sidecar = {
  ...newSidecar('toy:a'),
  sessions: ['s1', 's2'],
  committed: { before: 'x', after: 'y' },
  guard: { s1: memory },
  attempts: [attempt],
  failures: { count: 2, state: 'x' },
  saved: { anything: [1, null] },
  proof: {
    asked: { checks: ['test'], off: false },
    definitions: 'test=0123',
    content: null,
    contents: { test: 'c' },
    startedAt: 5,
    pinned: true,
    refusals: 2,
    cannotRunSaid: false,
    protectedSaid: true,
  },
  waiting: {
    for: 'person',
    since: 1,
    until: 2.5,
    what: 'Which?',
    shown: { marker: null, turn: 't' },
    reviewer: 'codex',
  },
  waits: { waited: 1, questions: 2, calls: 3, called: 4, callsAtHold: 0 },
};

/** As it comes back from a file. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a sidecar', () => {
  test.each([
    ['new', newSidecar('toy:a')],
    ['full', full],
  ])('comes back as it was written: %s', (_, sidecar) => {
    expect(parseSidecar(stored(sidecar))).toEqual({ kind: 'ok', record: sidecar });
  });

  it('is new without an owner, a count or a review', () => {
    expect(newSidecar('toy:a')).toMatchObject({ sessions: [], guard: {}, attempts: [], committed: null });
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', ''])(
    'remembers the count of a session called %j',
    (session) => {
      const text = JSON.stringify({ ...full, guard: { [session]: memory } });

      const parsed = parseSidecar(JSON.parse(text));

      expect(parsed.kind === 'ok' && Object.entries(parsed.record.guard)).toEqual([[session, memory]]);
    },
  );

  test.each([3, 4, 1e9, 2.5])('of schema %d is newer, whatever else is in it', (schema) => {
    expect(parseSidecar({ ...full, schema })).toEqual({ kind: 'newer' });
    expect(parseSidecar({ schema })).toEqual({ kind: 'newer' });
  });

  const wrong: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'sidecar'],
    ['an empty object', {}],
    ['schema 0', { ...full, schema: 0 }],
    ['a schema as text', { ...full, schema: '2' }],
    ['no run', { ...full, run: undefined }],
    ['a session that is no text', { ...full, sessions: [1] }],
    ['sessions that are no list', { ...full, sessions: 's1' }],
    ['half a commit', { ...full, committed: { before: 'x' } }],
    ['a guard that is a list', { ...full, guard: [] }],
    ['a guard that is null', { ...full, guard: null }],
    ['a count below zero', { ...full, guard: { s1: { ...memory, noProgress: -1 } } }],
    ['half a count', { ...full, guard: { s1: { ...memory, noTools: 0.5 } } }],
    ['a count that is none', { ...full, guard: { s1: { ...memory, toolsUnknown: null } } }],
    ['a guard with one bad session', { ...full, guard: { s1: memory, s2: {} } }],
    ['an unknown status', { ...full, attempts: [{ ...attempt, status: 'lost' }] }],
    ['an unknown verdict', { ...full, attempts: [{ ...attempt, verdict: 'great' }] }],
    ['an attempt without its state', { ...full, attempts: [{ ...attempt, before: undefined }] }],
    ['failures without a state', { ...full, failures: { count: 1 } }],
    ['a wait for nothing we know', { ...full, waiting: { ...full.waiting, for: 'luck' } }],
    ['a wait without a beginning', { ...full, waiting: { ...full.waiting, since: undefined } }],
    ['a wait whose end is no time', { ...full, waiting: { ...full.waiting, until: 'soon' } }],
    ['a question shown nowhere', { ...full, waiting: { ...full.waiting, shown: {} } }],
    ['a wait that is null', { ...full, waiting: null }],
    ['time waited below zero', { ...full, waits: { ...full.waits, waited: -1 } }],
    ['waits without their questions', { ...full, waits: { ...full.waits, questions: undefined } }],
  ];

  test.each(wrong)('is broken with %s', (_, value) => {
    expect(parseSidecar(value)).toEqual({ kind: 'broken' });
  });
});

describe('a sidecar of schema 1', () => {
  const { noProgress: still, noTools: unmoved, toolsUnknown: unknown, notified: told, ...counts } = memory;
  const { work: _, ...review } = attempt;
  const { attempts, saved, guard, ...same } = full;
  const old = {
    ...same,
    schema: 1,
    guard: { s1: { ...counts, still, unmoved, unknown, told } },
    attempt: review,
    own: saved,
  };

  it('is read as what it says today', () => {
    expect(parseSidecar(stored(old))).toEqual({ kind: 'ok', record: full });
  });

  it('without a review, a count or a part of the workflow is read too', () => {
    const bare = { ...same, schema: 1, guard: {}, attempt: null };
    expect(parseSidecar(stored(bare))).toEqual({
      kind: 'ok',
      record: { ...same, schema: 2, guard: {}, attempts: [] },
    });
  });

  test.each([
    ['a count that is missing', { ...old, guard: { s1: counts } }],
    ['a guard that is a list', { ...old, guard: [] }],
    ['a review that is text', { ...old, attempt: 'running' }],
    ['no review at all', { ...old, attempt: undefined }],
  ])('is broken with %s', (_, value) => {
    expect(parseSidecar(stored(value))).toEqual({ kind: 'broken' });
  });
});

describe('a session’s index', () => {
  it('of schema 1 is read as what it says today', () => {
    const old = { schema: 1, runs: ['toy:a'], told: ['toy:b'], looked: {} };

    expect(parseSession(stored(old))).toEqual({
      kind: 'ok',
      record: { schema: 2, runs: ['toy:a'], notified: ['toy:b'], looked: {} },
    });
  });

  it('comes back as it was written', () => {
    const index = { ...NEW_SESSION, runs: ['toy:a'], notified: ['toy:b'], looked: { toy: 1.5 } };

    expect(parseSession(stored(index))).toEqual({ kind: 'ok', record: index });
  });

  test.each([
    ['newer', { ...NEW_SESSION, schema: 3 }],
    ['broken', { ...NEW_SESSION, runs: [1] }],
    ['broken', { ...NEW_SESSION, looked: { toy: 'now' } }],
    ['broken', null],
  ])('is %s when it is %j', (kind, value) => {
    expect(parseSession(value)).toEqual({ kind });
  });
});
