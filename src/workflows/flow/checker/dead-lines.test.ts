// Lines that no stop takes: where they stand, why, and the way to where they would be.

import { describe, expect, it } from 'vitest';
import { compile } from '../language/compile.ts';
import { deadLines } from './dead-lines.ts';
import { graphOf } from './graph.ts';
import { modelOf } from './model.ts';

/** Each problem as lines: its place and what it is, and below it the way. */
function deadIn(text: string): string[] {
  const compiled = compile(text, null);
  if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.what);
  const model = modelOf(compiled.definition);
  const graph = model === null ? null : graphOf(model);
  if (model === null || graph === null) throw new Error('too many combinations');
  const problems = deadLines(compiled.definition, compiled.places, model, graph);
  return problems.flatMap(({ place, what, way = [] }) => [
    `${place.line}:${place.column} ${what}`,
    ...way.map((step) => `  ${step}`),
  ]);
}

const flow = (...states: readonly string[]): string =>
  `flow: sample\nstart: a\nstates:\n${states.map((state) => `  ${state}\n`).join('')}  z: { end: completed }\n`;

/** A state `a` with these lines, the first of them in line 7. */
const lines = (...leave: readonly string[]): string =>
  flow('a:', '  say: A', '  leave:', ...leave.map((line) => `    - ${line}`));

const START = '  start: a';
const NO_FACTS = '  in a there are no facts with which this line holds';
const never = (to: string): string => `this line of "a" (to ${to}) can never be taken`;

describe('dead lines', () => {
  it('are none where each is taken by some stop', () => {
    expect(
      deadIn(
        flow(
          'a: { say: A, leave: [ { when: { signal: s }, to: z }, { when: { check: test }, to: p } ], holds: 2, otherwise: p }',
          'p: { pause: true, leave: [ { when: { signal: s }, to: a }, { when: { visits: 3 }, to: z } ] }',
        ),
      ),
    ).toEqual([]);
  });

  it('come after one that is taken whenever they would be', () => {
    expect(
      deadIn(lines('{ when: { signal: s }, to: z }', '{ when: { signal: s, check: test }, to: a }')),
    ).toEqual([
      `8:9 ${never('a')}: whenever it holds, line 7 is taken before it`,
      START,
      '  in a, whenever this line holds: line 7 is taken',
    ]);
  });

  it('name two and more lines that are taken instead, in their order', () => {
    const found = deadIn(
      lines(
        '{ when: { signal: s, check: { name: test, is: failed } }, to: z }',
        '{ when: { file: f, signal: s }, to: z }',
        '{ when: { file: { glob: f, is: missing }, signal: s }, to: a }',
        '{ when: { signal: s }, to: a }',
      ),
    );
    expect(found).toEqual([
      `10:9 ${never('a')}: whenever it holds, line 7, line 8 or line 9 is taken before it`,
      START,
      '  in a, whenever this line holds: line 7, line 8 or line 9 is taken',
    ]);
  });

  it('name columns where two of them stand in one line', () => {
    const leave = [
      '{ when: { file: f }, to: z }, { when: { file: { glob: f, is: missing } }, to: z }',
      '{ when: { signal: s }, to: a }',
    ];
    expect(deadIn(flow(`a: { say: A, leave: [ ${leave[0]},`, `  ${leave[1]} ] }`))[0]).toBe(
      `5:5 ${never('a')}: whenever it holds, line 4 column 25 or line 4 column 55 is taken before it`,
    );
  });

  it('have parts that never hold together', () => {
    expect(
      deadIn(
        lines(
          '{ when: { visits: 1, check: [ x, { name: x, is: failed } ] }, to: z }',
          '{ when: { signal: s, visits: 1 }, to: z }',
        ),
      ),
    ).toEqual([`7:9 ${never('z')}: its parts never hold together`, START, NO_FACTS]);
  });

  it('ask for more visits than there ever are', () => {
    expect(deadIn(lines('{ when: { visits: 2 }, to: z }', '{ when: { signal: s }, to: z }'))).toEqual([
      `7:9 ${never('z')}: its parts never hold together, or "a" is never entered 2 times`,
      START,
      NO_FACTS,
    ]);
  });

  it('come with the way to the first stop there, not to a later one', () => {
    const text = flow(
      'a: { say: A, leave: [ { when: { visits: 2 }, to: z }, { when: { signal: s }, to: z } ], holds: 2, otherwise: z }',
    );
    expect(deadIn(text).slice(1)).toEqual([START, NO_FACTS]);
  });

  it('are found in states further on, pauses among them, with the way there', () => {
    const text = flow(
      'a: { say: A, leave: [ { when: { signal: s }, to: p } ] }',
      'p: { pause: true, leave: [ { when: { visits: 1 }, to: z }, { when: { signal: t }, to: a } ] }',
    );
    expect(deadIn(text)).toEqual([
      '5:62 this line of "p" (to a) can never be taken: whenever it holds, line 5 column 30 is taken before it',
      START,
      '  stop: in a: signal s, so on to p → allow',
      '  in p, whenever this line holds: line 5 column 30 is taken',
    ]);
  });

  it('are not asked for in states that nobody reaches', () => {
    expect(
      deadIn(
        flow(
          'a: { say: A, leave: [ { when: { signal: s }, to: z } ] }',
          'b: { say: B, leave: [ { when: { visits: 1 }, to: z }, { when: { signal: s }, to: z } ], holds: 2, otherwise: z }',
        ),
      ),
    ).toEqual([]);
  });
});

describe('what is done otherwise', () => {
  const text = flow(
    'a: { say: A, leave: [ { when: { file: f }, to: z }, { when: { file: { glob: f, is: missing } }, to: z } ], holds: 4, otherwise: z }',
  );
  const WHY = '`otherwise` of "a" can never be taken: the visit never lasts 4 holds';

  it('is dead where a line is taken at every stop', () => {
    expect(deadIn(text)).toEqual([
      `4:${(text.split('\n')[3] ?? '').indexOf('otherwise: z') + 'otherwise: z'.length} ${WHY}`,
      START,
      '  in a a line of `leave` is taken at every stop',
    ]);
  });

  it('comes after the dead lines of its state', () => {
    const found = deadIn(
      flow(
        'a: { say: A, leave: [ { when: { visits: 1 }, to: z }, { when: { signal: s }, to: z } ], holds: 2, otherwise: z }',
      ),
    ).filter((line) => !line.startsWith(' '));
    expect(found.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      expect.stringContaining('this line of "a" (to z) can never be taken: '),
      '`otherwise` of "a" can never be taken: the visit never lasts 2 holds',
    ]);
  });
});
