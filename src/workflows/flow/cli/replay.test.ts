import { describe, expect, it } from 'vitest';
import { redecide } from './replay.ts';

const target = { to: 'done', is: 'completed', visits: 0, watches: false };
const line = (when: object) => ({ when: [when], target });
const state = {
  ...{
    kind: 'at',
    flow: 'tdd',
    at: 'red',
    pause: false,
    lines: [] as object[],
    limit: null as object | null,
  },
  ...{ visits: 1, stay: 0, held: 3, most: 60 },
};
const facts = {
  ...{ run: 'tdd-1', pinned: 'same', signal: '', nearMiss: 'none', seen: null, files: null, content: null },
  ...{ reviewed: null, reviews: 0, marks: null, verdict: null, failedReviews: 0 },
};
const at = (when: object) => ({ ...state, lines: [line(when)] });

describe('a recorded stop of a flow', () => {
  it('is held once more', () => {
    expect(redecide(state, facts)).toMatchObject({
      kind: 'hold',
      change: { to: null, by: null, held: true },
    });
    for (const nearMiss of ['place', 'code', 'spelling'])
      expect(redecide(state, { ...facts, nearMiss })).toMatchObject({ kind: 'hold' });
  });

  it('is decided for a run that nobody can read, or that has ended', () => {
    for (const what of ['state', 'definition'])
      expect(redecide({ kind: 'unreadable', what }, facts)).toEqual({
        kind: 'allow',
        change: null,
        notice: { name: 'unreadable', slots: { what } },
      });
    for (const outcome of ['completed', 'limit', 'stuck', 'released', 'cancelled'])
      expect(redecide({ kind: 'ended', outcome }, facts)).toEqual({
        ...{ kind: 'allow', change: null, notice: null, over: outcome },
      });
  });

  it('asks for the pin where it had none, and ends where it differs', () => {
    expect(redecide(state, { ...facts, pinned: 'none' })).toEqual({ kind: 'look', at: 'pin' });
    expect(redecide(state, { ...facts, pinned: 'differs' })).toMatchObject({
      kind: 'allow',
      notice: { name: 'differs' },
      over: 'released',
    });
  });

  it('takes the line of a signal, a count of visits, or a file', () => {
    const completed = { kind: 'allow', change: { to: 'done', by: 0 }, over: 'completed' };
    expect(redecide(at({ kind: 'visits', least: 1 }), facts)).toMatchObject(completed);
    expect(redecide(at({ kind: 'visits', least: 2 }), facts)).toMatchObject({ kind: 'hold' });
    expect(redecide(at({ kind: 'signal', name: 'ready' }), { ...facts, signal: 'ready' })).toMatchObject(
      completed,
    );
    for (const is of ['exists', 'missing', 'changed'])
      expect(
        redecide(at({ kind: 'file', glob: 'a', is }), { ...facts, files: { [`${is} a`]: true } }),
      ).toMatchObject(completed);
  });

  it('is left to a person where it is paused', () => {
    const paused = { ...state, pause: true };
    expect(redecide(paused, { ...facts, waitsForPerson: true })).toEqual({
      ...{ kind: 'allow', change: null, notice: null },
    });
  });

  it('goes where the visit’s holds are used up', () => {
    const limited = { ...state, limit: { holds: 0, otherwise: { ...target, is: 'let-go' } } };
    expect(redecide(limited, facts)).toMatchObject({ kind: 'allow', change: { by: 'otherwise' } });
  });

  it.each([
    [null, facts],
    [{ ...state, kind: 'other' }, facts],
    [{ kind: 'unreadable', what: 'other' }, facts],
    [{ kind: 'ended', outcome: 'other' }, facts],
    [at({ kind: 'other' }), facts],
    [at({ kind: 'file', glob: 'a', is: 'other' }), facts],
    [{ ...state, lines: [{ when: [], target: { ...target, is: 'other' } }] }, facts],
    [state, null],
    [state, { ...facts, pinned: 'other' }],
    [state, { ...facts, nearMiss: 'other' }],
    [state, { ...facts, verdict: 'other' }],
    [state, { ...facts, waitsForPerson: false }],
  ])('that is not of its shape is not decided: %j, %j', (given, known) => {
    expect(redecide(given, known)).toBeNull();
  });
});
