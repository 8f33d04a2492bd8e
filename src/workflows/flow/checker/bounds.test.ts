// How often a flow can hold at most, and start each of its checks and reviews.

import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../../test/support/flow-run.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import { graphOf } from './graph.ts';
import { modelOf } from './model.ts';

const flow = (holds: number, ...states: readonly string[]): string =>
  `flow: sample\nstart: a\nholds: ${holds}\nstates:\n${states.map((state) => `  ${state}\n`).join('')}  z: { end: completed }\nreviews: { r: { prompt: Look } }\n`;

function boundsIn(text: string, unmoved: number): Bounds {
  const definition = definitionOf(text);
  const model = modelOf(definition);
  const graph = model === null ? null : graphOf(model);
  if (graph === null) throw new Error('too many combinations');
  return boundsOf(definition, graph, unmoved);
}

const BOUNDED = 'a: { say: A, leave: [ { when: { signal: s }, to: z } ], holds: 3, otherwise: z }';
const ENDLESS = 'a: { say: A, leave: [ { when: { signal: s }, to: z } ] }';

describe('the holds of a run', () => {
  const cases: [string, string, number, Bounds['holds']][] = [
    ['are those of the longest way', flow(10, BOUNDED), 6, { withProgress: 3, without: 3 }],
    [
      'are not more than the guard allows while nothing moves',
      flow(10, BOUNDED),
      2,
      { withProgress: 3, without: 2 },
    ],
    ['are those of the run where a circle holds', flow(10, ENDLESS), 6, { withProgress: 10, without: 6 }],
    [
      'are those of the run where the way is longer',
      flow(
        3,
        BOUNDED.replace('holds: 3', 'holds: 2'),
        'b: { say: B, leave: [ { when: { visits: 1 }, to: z } ] }',
      ),
      6,
      { withProgress: 2, without: 2 },
    ],
    [
      'add up over states',
      flow(
        10,
        'a: { say: A, leave: [ { when: { signal: s }, to: b } ], holds: 2, otherwise: b }',
        'b: { say: B, leave: [ { when: { signal: s }, to: z } ], holds: 3, otherwise: z }',
      ),
      6,
      { withProgress: 5, without: 5 },
    ],
    [
      'are cut at those of the run',
      flow(
        4,
        'a: { say: A, leave: [ { when: { signal: s }, to: b } ], holds: 2, otherwise: b }',
        'b: { say: B, leave: [ { when: { signal: s }, to: z } ], holds: 3, otherwise: z }',
      ),
      6,
      { withProgress: 4, without: 4 },
    ],
    [
      'may be none',
      flow(10, 'a: { say: A, leave: [ { when: { visits: 1 }, to: z } ] }'),
      6,
      { withProgress: 0, without: 0 },
    ],
  ];
  it.each(cases)('%s', (_, text, unmoved, holds) => {
    expect(boundsIn(text, unmoved)).toEqual({ holds, checks: {}, reviews: {} });
  });
});

describe('a check', () => {
  const checksIn = (text: string): Bounds['checks'] => boundsIn(text, 6).checks;

  it('is started once a hold and once more, where a circle asks for it', () => {
    expect(checksIn(flow(4, 'a: { say: A, leave: [ { when: { check: x }, to: z } ] }'))).toEqual({ x: 5 });
  });

  it('is started as often as the longest way asks for it', () => {
    const once =
      'a: { say: A, leave: [ { when: { check: x }, to: z }, { when: { check: y }, to: z }, { when: { visits: 1 }, to: b } ] }';
    const text = flow(
      9,
      once,
      'b: { say: B, leave: [ { when: { check: y }, to: z } ], holds: 3, otherwise: z }',
    );
    expect(checksIn(text)).toEqual({ x: 1, y: 4 });
  });

  it('is started not more often than there are stops', () => {
    const text = flow(
      2,
      'a: { say: A, leave: [ { when: { check: x }, to: b } ], holds: 2, otherwise: b }',
      'b: { say: B, leave: [ { when: { check: x }, to: z } ], holds: 2, otherwise: z }',
    );
    expect(checksIn(text)).toEqual({ x: 3 });
  });

  const PAUSE = 'p: { pause: true, leave: [ { when: { check: y }, to: z } ] }';

  it('has no number where it is asked for in a pause', () => {
    const text = flow(
      2,
      'a: { say: A, leave: [ { when: { check: x }, to: p } ], holds: 2, otherwise: p }',
      PAUSE,
    );
    expect(checksIn(text)).toEqual({ x: 3, y: null });
  });

  it('is not bounded by the stops of a run that pauses', () => {
    const text = flow(
      2,
      'a: { say: A, leave: [ { when: { check: x }, to: p } ], holds: 2, otherwise: p }',
      'p: { pause: true, leave: [ { when: { signal: s }, to: b } ] }',
      'b: { say: B, leave: [ { when: { check: x }, to: z } ], holds: 2, otherwise: z }',
    );
    expect(checksIn(text)).toEqual({ x: 5 });
  });

  it('does not count a pause that nobody reaches', () => {
    const text = flow(3, 'a: { say: A, leave: [ { when: { check: x }, to: z } ] }', PAUSE);
    expect(checksIn(text)).toEqual({ x: 4, y: 0 });
  });
});

describe('a review', () => {
  it('is counted apart from a check of the same name', () => {
    const text = flow(
      9,
      'a: { say: A, leave: [ { when: { check: r }, to: b } ], holds: 3, otherwise: b }',
      'b: { say: B, leave: [ { when: { review: r }, to: z }, { when: { review: r, is: findings }, to: z } ] }',
    );
    expect(Object.keys(boundsIn(text, 6).reviews)).toEqual(['r']);
    expect(boundsIn(text, 6).checks).toEqual({ r: 4 });
  });

  it('is started once a hold and once more, and each time twice before without a verdict', () => {
    const text = flow(4, 'a: { say: A, leave: [ { when: { review: r }, to: z } ] }');
    expect(boundsIn(text, 6)).toEqual({
      holds: { withProgress: 4, without: 4 },
      checks: {},
      reviews: { r: 15 },
    });
  });

  it('that had no verdict had the checks of its state before it, and no others', () => {
    const text = flow(
      4,
      'a: { say: A, leave: [ { when: { check: x }, to: b } ] }',
      'b: { say: B, leave: [ { when: { check: y, review: r }, to: z } ] }',
    );
    expect(boundsIn(text, 6)).toMatchObject({ checks: { x: 5, y: 15 }, reviews: { r: 15 } });
  });
});
