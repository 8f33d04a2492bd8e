import { describe, expect, it } from 'vitest';
import { builtIn } from './built-in.ts';
import { readDefinition, writeDefinition } from './definition-format.ts';
import { compile } from './language/compile.ts';
import { afterChange, type RunState, readRunState, writeRunState } from './state-format.ts';
import type { Change } from './types.ts';

const STATE: RunState = {
  ...{ schema: 1, flow: 'x', started: '', from: 'x', source: '', ended: null },
  ...{ at: 'a', visits: { a: 1 }, stay: 2, held: 3, marks: {}, reviewed: {}, reviews: 0 },
};

const NOTHING: Change = {
  ...{ to: null, by: null, held: false, ended: null, marks: {}, reviewed: null, seen: null },
};

describe('a run’s state', () => {
  it('is read as it was written', () => {
    expect(readRunState(writeRunState(STATE))).toEqual(STATE);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"schema":2}',
    writeRunState({ ...STATE, held: -1 }),
    writeRunState({ ...STATE, visits: { a: 0.5 } }),
  ])('is none where it is %j', (text) => {
    expect(readRunState(text)).toBeNull();
  });

  it('counts a hold in the visit and in the run', () => {
    expect(afterChange(STATE, { ...NOTHING, held: true })).toMatchObject({ at: 'a', stay: 3, held: 4 });
  });

  it('begins a visit with the hold that enters it, also of the same state', () => {
    const entered = afterChange(STATE, { ...NOTHING, to: 'a', held: true, marks: { 'x/**': '1' } });
    expect(entered).toMatchObject({ at: 'a', visits: { a: 2 }, stay: 1, held: 4, marks: { 'x/**': '1' } });
    expect(afterChange(STATE, { ...NOTHING, to: 'p' })).toMatchObject({ at: 'p', visits: { p: 1 }, stay: 0 });
  });

  it('may be in a state that is called as a property of every object', () => {
    expect(afterChange(STATE, { ...NOTHING, to: 'constructor' }).visits).toEqual({ a: 1, constructor: 1 });
  });

  it('remembers what a review said, by its name', () => {
    const reviewed = { name: 'critic', content: 'c', verdict: 'clean', number: 2 } as const;
    expect(afterChange(STATE, { ...NOTHING, reviewed })).toMatchObject({
      reviews: 2,
      reviewed: { critic: { content: 'c', verdict: 'clean', number: 2 } },
    });
  });
});

describe('a compiled definition', () => {
  it.each([...builtIn])('is read as it was written: %s', (_, text) => {
    const compiled = compile(text, null);
    if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.what);
    expect(readDefinition(writeDefinition(compiled.definition))).toEqual(compiled.definition);
  });

  it.each(['', '{}', '{"schema":1}', '[1]'])('is none where it is %j', (text) => {
    expect(readDefinition(text)).toBeNull();
  });
});

/** Copies of `whole` with one value each put in the place of another, deep in it. */
const broken = (whole: object, at: string, value: unknown): string => {
  const copy = structuredClone(whole) as Record<string, unknown>;
  const keys = at.split('.');
  const last = keys.pop() ?? '';
  let place: Record<string, unknown> = copy;
  for (const key of keys) place = place[key] as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return JSON.stringify(copy);
};

describe('what is written of a state', () => {
  const reviewed = { look: { content: 'c', verdict: 'clean', number: 1 } } as const;
  const whole: RunState = { ...STATE, marks: { a: '1' }, reviewed };

  it.each(['completed', 'limit', 'stuck', 'released', 'cancelled', null] as const)(
    'may have ended: %s',
    (ended) => {
      const state = { ...whole, ended };
      expect(readRunState(JSON.stringify(state))).toEqual(state);
    },
  );

  it('may hold a review with findings', () => {
    const text = broken(whole, 'reviewed.look.verdict', 'findings');
    expect(readRunState(text)?.reviewed.look?.verdict).toBe('findings');
  });

  it.each([...Object.keys(whole), ...Object.keys(reviewed.look).map((key) => `reviewed.look.${key}`)])(
    'is none without %s',
    (at) => {
      expect(readRunState(broken(whole, at, undefined))).toBeNull();
      expect(readRunState(broken(whole, at, { x: true }))).toBeNull();
    },
  );

  it('is lines that a person can edit', () => {
    expect(writeRunState(STATE)).toBe(`${JSON.stringify(STATE, null, 2)}\n`);
  });

  it('has the number of the last review, and is over with the outcome', () => {
    const change = {
      ...NOTHING,
      reviewed: { name: 'look', content: 'd', verdict: 'findings', number: 1 },
    } as const;
    expect(afterChange({ ...whole, reviews: 4 }, { ...change, ended: 'limit' })).toEqual({
      ...{ ...whole, reviews: 4, ended: 'limit' },
      reviewed: { look: { content: 'd', verdict: 'findings', number: 1 } },
    });
    expect(afterChange(whole, NOTHING)).toEqual(whole);
    expect(afterChange(whole, { ...NOTHING, marks: { b: '2' } }).marks).toEqual({ a: '1' });
  });
});

describe('what is written of a definition', () => {
  const whole = {
    ...{ schema: 1, flow: 'x', about: 'y', holds: 3, start: 'a' },
    states: {
      a: {
        ...{ kind: 'work', say: 's', holds: 2, otherwise: 'p' },
        leave: [
          {
            to: 'p',
            when: [
              { kind: 'visits', least: 1 },
              { kind: 'signal', name: 'n' },
              { kind: 'file', glob: 'g', is: 'exists' },
              { kind: 'check', name: 'n', is: 'passed' },
              { kind: 'review', name: 'n', is: 'clean' },
            ],
          },
        ],
      },
      p: { kind: 'pause', say: 't', leave: [] },
      e: { kind: 'end', end: 'completed', say: 'u' },
    },
    reviews: { n: { prompt: 'p', files: ['f'] } },
  };
  const when = 'states.a.leave.0.when';

  it.each<[at: string, value: string | null]>([
    ['about', null],
    ['states.a.holds', null],
    ['states.a.otherwise', null],
    ['states.p.say', null],
    ['states.e.say', null],
    [`${when}.2.is`, 'missing'],
    [`${when}.2.is`, 'changed'],
    [`${when}.3.is`, 'failed'],
    [`${when}.4.is`, 'findings'],
    ['states.e.end', 'let-go'],
  ])('may have %s as %j', (at, value) => {
    const text = broken(whole, at, value);
    expect(readDefinition(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ...Object.keys(whole),
    ...['kind', 'say', 'holds', 'otherwise', 'leave', 'leave.0.to', 'leave.0.when'].map(
      (key) => `states.a.${key}`,
    ),
    ...['0.kind', '0.least', '1.kind', '1.name', '2.kind', '2.glob', '2.is'].map((key) => `${when}.${key}`),
    ...['3.kind', '3.name', '3.is', '4.kind', '4.name', '4.is'].map((key) => `${when}.${key}`),
    ...['p.kind', 'p.say', 'p.leave', 'e.kind', 'e.end', 'e.say'].map((key) => `states.${key}`),
    ...['reviews.n.prompt', 'reviews.n.files'],
  ])('is none without %s', (at) => {
    expect(readDefinition(JSON.stringify(whole))).toEqual(whole);
    expect(readDefinition(broken(whole, at, undefined))).toBeNull();
    expect(readDefinition(broken(whole, at, { x: true }))).toBeNull();
    expect(readDefinition(broken(whole, at, ''))).toEqual(
      /(flow|about|start|say|otherwise|to|name|glob|prompt)$/.test(at) ? expect.any(Object) : null,
    );
  });

  it('is one line', () => {
    const definition = readDefinition(JSON.stringify(whole));
    if (definition === null) throw new Error('it is none');
    expect(writeDefinition(definition)).toBe(`${JSON.stringify(whole)}\n`);
  });
});
