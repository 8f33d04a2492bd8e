// Every mistake is refused with its line, its column and a sentence that says what is wrong.

import { describe, expect, it, test } from 'vitest';
import { check } from '../../src/workflows/flow/checker/check.ts';
import { compile } from '../../src/workflows/flow/language/compile.ts';
import type { Problem } from '../../src/workflows/flow/language/problems.ts';
import { broken, CHECKS, SOUND } from './broken.ts';

/** Empty where the flow is accepted. */
function problemsOf(text: string): readonly Problem[] {
  const compiled = compile(text, CHECKS);
  if (compiled.kind === 'refused') return compiled.problems;
  const checked = check(compiled.definition, compiled.places, 6);
  return checked.kind === 'refused' ? checked.problems : [];
}

describe('a broken flow is refused, with its place and the right sentence', () => {
  it('in more than sixty ways, each of its own', () => {
    expect(broken.length).toBeGreaterThan(60);
    expect(new Set(broken.map(([title]) => title)).size).toBe(broken.length);
  });

  test.each(broken)('%s', (_, text, at, says) => {
    const [first] = problemsOf(text);
    expect([`${first?.place.line}:${first?.place.column}`, first?.what]).toEqual([at, says]);
  });

  test.each(broken)('in one line without control codes: %s', (_, text) => {
    for (const { what } of problemsOf(text)) expect(what).toMatch(/^[\x20-\x7e\u2026\u2019]{1,400}$/);
  });
});

describe('the sound flow that all of them are broken from', () => {
  it('is accepted', () => {
    expect(problemsOf(SOUND)).toEqual([]);
  });

  it('as JSON too, which is YAML', () => {
    const json = JSON.stringify({
      flow: 'sample',
      start: 'work',
      states: {
        work: { say: 'Do {{task}}', leave: [{ when: { signal: 'done' }, to: 'finished' }] },
        finished: { end: 'completed' },
      },
    });
    expect(problemsOf(json)).toEqual([]);
  });

  it('says all mistakes at once, in the order of the text', () => {
    const found = problemsOf(
      SOUND.replace('check: test', 'check: no').replace('{ end: completed }', '{ end: x }'),
    );
    expect(found.map(({ place }) => place.line)).toEqual([7, 9]);
  });
});
