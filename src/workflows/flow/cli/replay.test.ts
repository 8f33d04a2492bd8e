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

describe('each part of a recorded stop of a flow', () => {
  const check = { name: 'test', end: 'passed', code: 0, milliseconds: 5, from: 'run' };
  const whole = {
    state: {
      ...{ ...state, limit: { holds: 9, otherwise: target } },
      lines: [
        {
          target,
          when: [
            { kind: 'visits', least: 9 },
            { kind: 'signal', name: 'ready' },
            { kind: 'file', glob: 'a', is: 'exists' },
            { kind: 'check', name: 'test', is: 'passed' },
            { kind: 'review', name: 'look', is: 'clean' },
          ],
        },
      ],
    },
    facts: {
      ...{ ...facts, seen: 'line', files: { 'exists a': true }, content: 'c', checks: { test: check } },
      ...{ reviewed: { content: 'c', verdict: 'clean', number: 1 }, marks: { of: 'red', marks: { a: '1' } } },
      ...{ verdict: 'clean', reviewNumber: 1, reviewContent: 'c', reviewModel: 'opus' },
      noVerdict: { kind: 'exit-code', code: 7 },
    },
  };
  /** Decided with one value in the place of another; undefined: without it. */
  const decidedWith = (place: string, value?: unknown): unknown => {
    const copy = structuredClone(whole);
    const keys = place.split('.');
    const last = keys.pop() ?? '';
    let part: Record<string, unknown> = copy;
    for (const key of keys) part = part[key] as Record<string, unknown>;
    if (value === undefined) delete part[last];
    else part[last] = value;
    return redecide(copy.state, copy.facts);
  };
  const when = 'state.lines.0.when';
  const targetParts = ['to', 'is', 'visits', 'watches'];
  const needed = [
    ...Object.keys(whole.state).map((key) => `state.${key}`),
    ...targetParts.flatMap((key) => [`state.lines.0.target.${key}`, `state.limit.otherwise.${key}`]),
    ...['state.lines.0.when', 'state.lines.0.target', 'state.limit.holds', 'state.limit.otherwise'],
    ...['0.least', '1.name', '2.glob', '2.is', '3.name', '3.is', '4.name', '4.is'].map(
      (key) => `${when}.${key}`,
    ),
    ...Object.keys(facts).map((key) => `facts.${key}`),
    ...['content', 'verdict', 'number'].map((key) => `facts.reviewed.${key}`),
    ...['facts.marks.of', 'facts.marks.marks', 'facts.noVerdict.kind', 'facts.noVerdict.code'],
  ];

  it.each(needed)('is needed, and of its own kind: %s', (place) => {
    expect(redecide(whole.state, whole.facts)).toMatchObject({ kind: 'hold' });
    expect(decidedWith(place)).toBeNull();
    expect(decidedWith(place, [[7]])).toBeNull();
  });

  it.each(['files.x', 'marks.marks.x', 'checks.x', 'reviewNumber', 'reviewContent', 'reviewModel'])(
    'is of its own kind where it is there: %s',
    (place) => {
      expect(decidedWith(`facts.${place}`, [[7]])).toBeNull();
    },
  );

  it.each<[place: string, value: unknown]>([
    ...['seen', 'files', 'content', 'reviewed', 'marks', 'verdict', 'noVerdict.code'].map(
      (key): [string, unknown] => [`facts.${key}`, null],
    ),
    ...['reviewNumber', 'reviewContent', 'reviewModel', 'noVerdict', 'checks'].map(
      (key): [string, unknown] => [`facts.${key}`, undefined],
    ),
    [`${when}.2.is`, 'missing'],
    [`${when}.2.is`, 'changed'],
    [`${when}.3.is`, 'failed'],
    [`${when}.4.is`, 'findings'],
    ['state.lines.0.target.is', 'work'],
    ['state.lines.0.target.is', 'pause'],
    ['state.lines.0.target.is', 'let-go'],
    ['facts.verdict', 'findings'],
    ['facts.verdict', 'none'],
    ['facts.verdict', 'failed'],
    ['facts.reviewed.verdict', 'findings'],
    ['state.limit', null],
  ])('may be so: %s %j', (place, value) => {
    expect(decidedWith(place, value)).not.toBeNull();
  });
});
