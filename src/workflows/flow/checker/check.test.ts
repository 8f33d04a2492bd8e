// All that going through a flow finds, with the shortest way to each.

import { describe, expect, it } from 'vitest';
import { compile } from '../language/compile.ts';
import { check } from './check.ts';

function checked(text: string, unmoved = 6) {
  const compiled = compile(text, null);
  if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.what);
  return check(compiled.definition, compiled.places, unmoved);
}

/** Each problem as lines: its place and what it is, and below it the way. */
function found(text: string): string[] {
  const result = checked(text);
  if (result.kind === 'proven') return [];
  return result.problems.flatMap(({ place, what, way = [] }) => [
    `${place.line}:${place.column} ${what}`,
    ...way.map((step) => `  ${step}`),
  ]);
}

const flow = (...states: readonly string[]): string =>
  `flow: sample\nstart: a\nstates:\n${states.map((state) => `  ${state}\n`).join('')}`;

describe('a flow that is refused', () => {
  it('has states that nobody reaches, and it is said from where a line would lead there', () => {
    expect(
      found(
        flow(
          'a: { say: A, leave: [ { when: { visits: 1 }, to: z }, { when: { signal: s }, to: b } ] }',
          'b: { say: B, leave: [ { when: { signal: s }, to: c } ], holds: 2, otherwise: d }',
          'c: { say: C, leave: [ { when: { signal: s }, to: z } ] }',
          'd: { end: let-go }',
          'z: { end: completed }',
        ),
      ),
    ).toEqual([
      '4:57 this line of "a" (to b) can never be taken: whenever it holds, line 4 column 25 is taken before it',
      '  start: a',
      '  in a, whenever this line holds: line 4 column 25 is taken',
      '5:3 the state "b" cannot be reached: no line that leads to it is ever taken (from a)',
      '6:3 the state "c" cannot be reached: no line that leads to it is ever taken (from b)',
      '7:3 the state "d" cannot be reached: no line that leads to it is ever taken (from b)',
    ]);
  });

  it('has no end', () => {
    expect(found(flow('a: { say: A, leave: [ { when: { visits: 1 }, to: a } ] }'))).toEqual([
      '4:3 no state of this flow is an `end`',
    ]);
  });

  it('has states that lead nowhere, each once, with the way to the first', () => {
    expect(
      found(
        flow(
          'a: { say: A, leave: [ { when: { signal: s, check: test }, to: b }, { when: { file: f, signal: t }, to: z } ] }',
          'b: { say: B, leave: [ { when: { review: r }, to: c } ] }',
          'c: { pause: true, leave: [ { when: { check: test, is: failed }, to: b }, { when: { visits: 2 }, to: c } ] }',
          'z: { end: completed }',
        ).concat('reviews: { r: { prompt: Look } }\n'),
      ),
    ).toEqual([
      '5:3 from the state "b" no end can be reached',
      '  start: a',
      '  stop: in a: signal s, check test passed, so on to b → hold',
      '  from here on no line leads to an end',
      '6:3 from the state "c" no end can be reached',
      '  start: a',
      '  stop: in a: signal s, check test passed, so on to b → hold',
      '  stop: in b: review clean, so on to c → allow',
      '  from here on no line leads to an end',
    ]);
  });

  it('has lines that no stop takes, and it is said which one is taken before', () => {
    expect(
      found(
        flow(
          'a:',
          '  say: A',
          '  leave:',
          '    - { when: { file: f, is: exists }, to: z }',
          '    - { when: { file: f, is: missing, signal: s }, to: z }',
          '    - { when: { file: f, is: missing, signal: t }, to: z }',
          '    - { when: { signal: s }, to: a }',
          '    - { when: { check: [ x, { name: x, is: failed } ] }, to: a }',
          '    - { when: { visits: 3, check: [ x, { name: x, is: failed } ] }, to: a }',
          '    - { when: { visits: 1 }, to: z }',
          '    - { when: { signal: u }, to: z }',
          '  holds: 4',
          '  otherwise: z',
          'z: { end: completed }',
        ),
      ),
    ).toEqual([
      '10:9 this line of "a" (to a) can never be taken: whenever it holds, line 7 or line 8 is taken before it',
      '  start: a',
      '  in a, whenever this line holds: line 7 or line 8 is taken',
      '11:9 this line of "a" (to a) can never be taken: its parts never hold together',
      '  start: a',
      '  in a there are no facts with which this line holds',
      '12:9 this line of "a" (to a) can never be taken: its parts never hold together, or "a" is never entered 3 times',
      '  start: a',
      '  in a there are no facts with which this line holds',
      '14:9 this line of "a" (to z) can never be taken: whenever it holds, line 7 or line 13 is taken before it',
      '  start: a',
      '  in a, whenever this line holds: line 7 or line 13 is taken',
      '16:16 `otherwise` of "a" can never be taken: the visit never lasts 4 holds',
      '  start: a',
      '  in a a line of `leave` is taken at every stop',
    ]);
  });

  it('has states that are further away than its holds', () => {
    expect(
      found(
        flow(
          'a: { say: A, leave: [ { when: { signal: s }, to: b }, { when: { signal: p }, to: p } ] }',
          'p: { pause: true, leave: [ { when: { signal: s }, to: b } ] }',
          'b: { say: B, leave: [ { when: { signal: s }, to: c } ] }',
          'c: { say: C, leave: [ { when: { signal: s }, to: d } ] }',
          'd: { say: D, leave: [ { when: { signal: s }, to: z } ] }',
          'z: { end: completed }',
        ).replace('start', 'holds: 2\nstart'),
      ),
    ).toEqual([
      '9:3 the state "d" cannot be reached within the 2 holds of a run: it takes 3',
      '  start: a',
      '  stop: in a: signal s, so on to b → hold',
      '  stop: in b: signal s, so on to c → hold',
      '  stop: in c: signal s, so on to d → hold',
      '  here, after 3 holds at least',
      '10:3 the state "z" cannot be reached within the 2 holds of a run: it takes 3',
      '  start: a',
      '  stop: in a: signal s, so on to b → hold',
      '  stop: in b: signal s, so on to c → hold',
      '  stop: in c: signal s, so on to d → hold',
      '  stop: in d: signal s, so on to z → allow',
      '  here, after 3 holds at least',
    ]);
  });
});

describe('a flow that is proven', () => {
  const proven = (text: string, unmoved?: number) => {
    const result = checked(text, unmoved);
    if (result.kind === 'refused') throw new Error(result.problems[0]?.what);
    return { nodes: result.nodes, ...result.bounds };
  };

  it('holds as often as its longest way, or as its limit', () => {
    const line = flow(
      'a: { say: A, leave: [ { when: { signal: s }, to: z } ], holds: 3, otherwise: b }',
      'b: { say: B, leave: [ { when: { signal: s }, to: z } ], holds: 2, otherwise: z }',
      'z: { end: completed }',
    );
    expect(proven(line)).toEqual({
      ...{ nodes: 7, holds: { withProgress: 5, without: 5 }, checks: {}, reviews: {} },
    });
    expect(proven(line, 4).holds).toEqual({ withProgress: 5, without: 4 });
    expect(proven(line.replace('start', 'holds: 4\nstart')).holds).toEqual({ withProgress: 4, without: 4 });
  });

  it('starts each check and review as often as there are stops that ask for it', () => {
    const text = flow(
      'a: { say: A, leave: [ { when: { signal: s, check: [x, y] }, to: b } ], holds: 3, otherwise: z }',
      'b: { say: B, leave: [ { when: { check: x, review: r }, to: z } ], holds: 2, otherwise: z }',
      'z: { end: completed }',
    ).concat('reviews: { r: { prompt: Look } }\n');
    expect(proven(text)).toEqual({
      checks: {
        x: 18,
        y: 4,
      },
      holds: {
        withProgress: 5,
        without: 5,
      },
      nodes: 8,
      reviews: {
        r: 18,
      },
    });
  });

  it('starts them without end in a pause alone', () => {
    const text = flow(
      'a: { say: A, leave: [ { when: { check: x }, to: p } ], holds: 3, otherwise: z }',
      'p: { pause: true, leave: [ { when: { check: y }, to: z } ] }',
      'z: { end: completed }',
    );
    expect(proven(text)).toEqual({
      checks: {
        x: 4,
        y: null,
      },
      holds: {
        withProgress: 3,
        without: 3,
      },
      nodes: 7,
      reviews: {},
    });
  });

  it('counts the visits that a line asks for, and a file that exists as not missing', () => {
    const text = flow(
      'a:',
      '  say: A',
      '  leave:',
      '    - { when: { visits: 3 }, to: z }',
      '    - { when: { file: f, is: exists }, to: a }',
      '    - { when: { file: f, is: missing, signal: s }, to: z }',
      '    - { when: { file: f, is: changed }, to: z }',
      'z: { end: completed }',
    );
    expect(proven(text)).toEqual({
      checks: {},
      holds: {
        withProgress: 100,
        without: 6,
      },
      nodes: 6,
      reviews: {},
    });
  });
});
