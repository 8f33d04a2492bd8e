import { describe, expect, it } from 'vitest';
import { redecide } from './replay.ts';

const NOW = 1_794_000_000_000;
const state = {
  kind: 'loop',
  event: 'STATE',
  updatedAt: NOW,
  stack: [{ mode: 'loop', iter: 1, max: 10, carryOn: false }],
};
const facts = {
  now: NOW,
  limited: null,
  signal: 'none',
  nearMiss: 'none',
  seen: 'line',
  untilCheck: null,
  proof: null,
  until: null,
};
const held = {
  kind: 'hold',
  change: { event: 'STATE', reason: null, drop: 'none', step: true, seen: 'line' },
  message: { name: 'continue', slots: { iteration: 2, max: 10, position: 0 } },
  notice: null,
};

describe('a recorded stop of a loop', () => {
  it('is decided once more', () => {
    expect(redecide(state, facts)).toEqual(held);
    expect(redecide(state, { ...facts, untilCheck: 'test' })).toEqual({ kind: 'prove', only: 'test' });
    expect(redecide(state, { ...facts, signal: 'unread' })).toEqual({ kind: 'look', at: 'signal' });
    for (const nearMiss of ['place', 'code', 'spelling'])
      expect(redecide(state, { ...facts, nearMiss })).toMatchObject({ message: { slots: { nearMiss } } });
  });

  it('is read as earlier versions wrote it, without what they did not know', () => {
    const { now, signal, seen } = facts;
    expect(redecide(state, { now, signal, seen })).toEqual(held);
  });

  it('was stale then where nobody looked for a limit', () => {
    const old = { ...state, updatedAt: NOW - 8_000_000 };
    const { limited: _, ...without } = facts;
    expect(redecide(old, without)).toMatchObject({ kind: 'allow', notice: { name: 'stale' } });
    expect(redecide(old, facts)).toEqual({ kind: 'look', at: 'limit' });
    expect(redecide(old, { ...facts, limited: 1_000_000 })).toEqual(held);
  });

  it.each([
    ['nothing', { kind: 'allow', change: null, notice: null, over: 'cancelled' }],
    ['lost', { kind: 'allow', change: null, notice: { name: 'lost', slots: {} } }],
    ['unreadable', { kind: 'allow', change: null, notice: { name: 'unreadable', slots: {} } }],
  ])('is decided for a state that was %s', (kind, step) => {
    expect(redecide({ kind }, facts)).toEqual(step);
  });

  it.each(['COMPLETE', 'DONE', 'NO_MORE_ISSUES'])('asks for proof of the signal %s', (signal) => {
    expect(redecide(state, { ...facts, signal })).toEqual({ kind: 'prove' });
  });

  it.each([
    ['STUCK', 'stuck'],
    ['MAX_ITERATIONS', 'limit'],
    ['MAX_ISSUES', 'limit'],
  ])('takes the signal %s as it is', (signal, over) => {
    expect(redecide(state, { ...facts, signal })).toEqual({
      kind: 'allow',
      change: { event: 'DONE', reason: signal, drop: 'top', step: false, seen: 'line' },
      notice: null,
      over,
    });
  });

  it.each(['DONE', 'ABORT'])('knows the event %s', (event) => {
    expect(redecide({ ...state, event }, facts)).toMatchObject({ kind: 'allow', change: null });
  });

  it.each(['issue', 'grind'])('knows the mode %s', (mode) => {
    const [frame] = state.stack;
    expect(redecide({ ...state, stack: [{ ...frame, mode }] }, facts)).toEqual(held);
  });

  it('knows frames that nobody could read', () => {
    const [frame] = state.stack;
    expect(redecide({ ...state, stack: [{ ...frame, mode: 'unknown' }] }, facts)).toMatchObject({
      notice: { name: 'unknown-mode' },
    });
    for (const count of ['iter', 'max'])
      expect(redecide({ ...state, stack: [{ ...frame, [count]: 'corrupt' }] }, facts)).toMatchObject({
        notice: { name: 'corrupt' },
        over: 'stuck',
      });
  });

  it.each([
    [null, facts],
    [{ ...state, kind: 'other' }, facts],
    [{ ...state, event: 'PAUSED' }, facts],
    [{ ...state, stack: [{ mode: 'other', iter: 1, max: 1, carryOn: false }] }, facts],
    [{ ...state, stack: [{ mode: 'loop', iter: '1', max: 1, carryOn: false }] }, facts],
    [state, null],
    [state, { ...facts, signal: 'OTHER' }],
    [state, { ...facts, nearMiss: 'other' }],
    [state, { ...facts, seen: undefined }],
    [state, { ...facts, now: 'today' }],
  ])('that is not of its shape is not decided: %j, %j', (given, known) => {
    expect(redecide(given, known)).toBeNull();
  });
});
