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
