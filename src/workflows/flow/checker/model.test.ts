// Every stop that a flow's model has in a node: what is read, where it leads, and what it asked for.

import { describe, expect, it } from 'vitest';
import { compile } from '../language/compile.ts';
import type { Definition, StateDefinition } from '../types.ts';
import { type FlowModel, modelOf, type Node, RELEASED } from './model.ts';

const FLOW = `flow: sample
start: a
holds: 2
states:
  a:
    say: A
    leave:
      - { when: { signal: done, check: test }, to: b }
      - { when: { visits: 3 }, to: gone }
      - { when: { file: f, signal: back }, to: a }
    holds: 2
    otherwise: p
  b:
    say: B
    leave:
      - { when: { review: critic }, to: z }
      - { when: { file: { glob: f, is: missing } }, to: a }
  p:
    pause: true
    leave:
      - { when: { check: test, is: failed }, to: a }
      - { when: { signal: over, file: { glob: g, is: missing } }, to: z }
  gone: { end: let-go }
  z: { end: completed }
reviews: { critic: { prompt: Look } }
`;

function definitionOf(text: string): Definition {
  const compiled = compile(text, null);
  if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.what);
  return compiled.definition;
}

function modelFrom(text: string): FlowModel {
  const model = modelOf(definitionOf(text));
  if (model === null) throw new Error('too many combinations');
  return model;
}

const flow = (...states: readonly string[]): string =>
  `flow: sample\nstart: a\nstates:\n${states.map((state) => `  ${state}\n`).join('')}  z: { end: completed }\n`;

/** `in a: no signal, so it stays → hold`, then where it leads and by which line, and what was asked for. */
function stopsOf(model: FlowModel, node: Node): string[] {
  const found: string[] = [];
  model.stops(node, ({ what, answer, to, taken, combinations }) => {
    expect(taken.hold).toBe(answer === 'hold');
    found.push(
      `${what()} → ${answer} ${Object.values(to).join()} by ${taken.by} [${taken.asks}] ${combinations}`,
    );
  });
  return found;
}

describe('the model of a flow', () => {
  const model = modelFrom(FLOW);
  const at = (state: string, stay: number, visits: number): Node => ({ state, stay, 'visits a': visits });

  it('has a node for each state, each hold of a bounded visit and each visit that a line asks for', () => {
    expect(model.name).toBe('sample');
    expect(model.starts).toEqual([{ label: 'a', node: at('a', 0, 1) }]);
    expect(model.editable(at('a', 0, 1))).toEqual([]);
    expect(model.space.valuesOf('state')).toEqual(['a', 'b', 'p', 'gone', 'z', RELEASED]);
    expect(model.space.valuesOf('stay')).toEqual([0, 1, 2]);
    expect(model.space.valuesOf('visits a')).toEqual([0, 1, 2, 3]);
    expect(model.space.size).toBe(6 * 3 * 4);
  });

  it('has one stop for each combination of the facts that are read, and counts those that are not', () => {
    expect(stopsOf(model, at('a', 0, 1))).toEqual([
      'in a: signal done, check test passed, so on to b → hold b,0,1 by 0 [check test] 24',
      'in a: signal done, check test failed, so it stays → hold a,1,1 by null [check test] 24',
      `in a: signal done, check test cannot-run, so the run is let go → allow ${RELEASED},0,1 by null [check test] 24`,
      'in a: signal done, check test no-time, so it stays → allow a,0,1 by null [] 24',
      'in a: signal back, exists f: yes, so on to a → hold a,1,2 by 2 [] 48',
      'in a: signal back, exists f: no, so it stays → hold a,1,1 by null [] 48',
      'in a: no signal, so it stays → hold a,1,1 by null [] 96',
    ]);
  });

  it('counts the holds of a visit up to the bound, and then goes on otherwise', () => {
    expect(stopsOf(model, at('a', 1, 2)).at(-1)).toBe(
      'in a: no signal, so it stays → hold a,2,2 by null [] 96',
    );
    expect(stopsOf(model, at('a', 2, 2))).toEqual([
      'in a: signal done, check test passed, so on to b → hold b,0,2 by 0 [check test] 24',
      'in a: signal done, check test failed, so on to p → allow p,0,2 by otherwise [check test] 24',
      `in a: signal done, check test cannot-run, so the run is let go → allow ${RELEASED},0,2 by null [check test] 24`,
      'in a: signal done, check test no-time, so it stays → allow a,2,2 by null [] 24',
      'in a: signal back, exists f: yes, so on to a → hold a,1,3 by 2 [] 48',
      'in a: signal back, exists f: no, so on to p → allow p,0,2 by otherwise [] 48',
      'in a: no signal, so on to p → allow p,0,2 by otherwise [] 96',
    ]);
  });

  it('counts visits up to those that a line asks for', () => {
    expect(stopsOf(model, at('a', 1, 3)).at(-1)).toBe(
      'in a: no signal, so on to gone → allow gone,0,3 by 1 [] 96',
    );
    expect(stopsOf(model, at('b', 0, 3)).at(2)).toBe(
      'in b: review findings, exists f: no, so on to a → hold a,1,3 by 1 [review critic] 16',
    );
  });

  it('does not count the holds of a state without a bound, and what exists is not missing', () => {
    expect(stopsOf(model, at('b', 0, 2))).toEqual([
      'in b: review clean, so on to z → allow z,0,2 by 0 [review critic] 32',
      'in b: review findings, exists f: yes, so it stays → hold b,0,2 by null [review critic] 16',
      'in b: review findings, exists f: no, so on to a → hold a,1,3 by 1 [review critic] 16',
      'in b: review without a verdict, so it stays → allow b,0,2 by null [review critic] 32',
    ]);
  });

  it('holds nobody in a pause, where what is missing is asked for by itself', () => {
    expect(stopsOf(model, at('p', 0, 2))).toEqual([
      'in p: check test passed, signal over, missing g: yes, so on to z → allow z,0,2 by 1 [check test] 12',
      'in p: check test passed, signal over, missing g: no, so it stays → allow p,0,2 by null [check test] 12',
      'in p: check test passed, no signal, so it stays → allow p,0,2 by null [check test] 24',
      'in p: check test failed, so on to a → hold a,1,3 by 0 [check test] 48',
      `in p: check test cannot-run, so the run is let go → allow ${RELEASED},0,2 by null [check test] 48`,
      'in p: check test no-time, so it stays → allow p,0,2 by null [] 48',
    ]);
  });

  it('stops nowhere in an end, nor where the run was let go', () => {
    for (const state of ['gone', 'z', RELEASED]) {
      expect(stopsOf(model, at(state, 0, 1))).toEqual([]);
      model.stopsWith(at(state, 0, 1), [], () => expect.unreachable());
    }
  });

  it('gives its stops to the explorer as plain edges with the facts that were read', () => {
    const edges: unknown[] = [];
    model.expand(at('b', 0, 2), ({ what, ...edge }) => edges.push(edge));
    expect(edges[2]).toEqual({
      by: 'stop',
      to: at('a', 1, 3),
      answer: 'hold',
      about: '',
      combinations: 16,
      broken: null,
      taken: {
        by: 1,
        hold: true,
        asks: ['review critic'],
        facts: { verdict: 'findings', 'file exists f': 'no' },
      },
    });
  });
});

describe('what is not counted', () => {
  it('is a first visit, and the holds where no state has a bound', () => {
    const model = modelFrom(flow('a: { say: A, leave: [ { when: { visits: 1 }, to: z } ] }'));
    expect(model.starts).toEqual([{ label: 'a', node: { state: 'a', stay: 0 } }]);
    expect(model.space.valuesOf('stay')).toEqual([0]);
    expect(model.space.size).toBe(3);
    expect(stopsOf(model, { state: 'a', stay: 0 })).toEqual([
      'in a: whatever is so, so on to z → allow z,0 by 0 [] 3',
    ]);
  });

  it('is more than the most visits that any line asks for, each state by itself', () => {
    const model = modelFrom(
      flow(
        'a: { say: A, leave: [ { when: { visits: 4 }, to: z }, { when: { visits: 2 }, to: b }, { when: { signal: s }, to: a } ] }',
        'b: { say: B, leave: [ { when: { visits: 2 }, to: z }, { when: { signal: s }, to: a } ] }',
      ),
    );
    expect(model.starts[0]?.node).toEqual({ state: 'a', stay: 0, 'visits a': 1, 'visits b': 0 });
    expect(model.space.valuesOf('visits a')).toEqual([0, 1, 2, 3, 4]);
    expect(model.space.valuesOf('visits b')).toEqual([0, 1, 2]);
    expect(stopsOf(model, { state: 'a', stay: 0, 'visits a': 2, 'visits b': 0 })).toEqual([
      'in a: whatever is so, so on to b → hold b,0,2,1 by 1 [] 6',
    ]);
    expect(stopsOf(model, { state: 'b', stay: 0, 'visits a': 4, 'visits b': 1 })).toEqual([
      'in b: signal s, so on to a → hold a,0,4,1 by 1 [] 3',
      'in b: no signal, so it stays → hold b,0,4,1 by null [] 3',
    ]);
  });

  it('is a run with more counts than there are numbers for', () => {
    const names = Array.from({ length: 9 }, (_, index) => `s${index}`);
    const leave = [{ when: [{ kind: 'visits', least: 99 }], to: 'z' }] as const;
    const ofCounts = (count: number): Definition => ({
      ...{ schema: 1, flow: 'sample', about: null, holds: 1, start: 's0', reviews: {} },
      states: Object.fromEntries(
        names
          .slice(0, count)
          .map((name): [string, StateDefinition] => [
            name,
            { kind: 'work', say: 'S', leave, holds: null, otherwise: null },
          ]),
      ),
    });
    expect(modelOf(ofCounts(7))?.space.size).toBe(8 * 100 ** 7);
    expect(modelOf(ofCounts(8))).toBe(null);
  });
});

describe('the facts of a stop', () => {
  it('are the signals that somebody listens for in this very state', () => {
    const model = modelFrom(
      flow(
        'a: { say: A, leave: [ { when: { signal: s }, to: b }, { when: { signal: t }, to: z } ] }',
        'b: { say: B, leave: [ { when: { signal: u }, to: z } ] }',
      ),
    );
    const whatIn = (state: string): string[] =>
      stopsOf(model, { state, stay: 0 }).map((line) => line.replace(/ →.*/, ''));
    expect(whatIn('a')).toEqual([
      'in a: signal s, so on to b',
      'in a: signal t, so on to z',
      'in a: no signal, so it stays',
    ]);
    expect(whatIn('b')).toEqual(['in b: signal u, so on to z', 'in b: no signal, so it stays']);
  });

  it('are several checks, and one without time makes the stop ask for nothing', () => {
    const model = modelFrom(flow('a: { say: A, leave: [ { when: { check: [x, y] }, to: z } ] }'));
    expect(stopsOf(model, { state: 'a', stay: 0 })).toEqual([
      'in a: check x passed, check y passed, so on to z → allow z,0 by 0 [check x,check y] 3',
      'in a: check x passed, check y failed, so it stays → hold a,0 by null [check x,check y] 3',
      `in a: check x passed, check y cannot-run, so the run is let go → allow ${RELEASED},0 by null [check x,check y] 3`,
      'in a: check x passed, check y no-time, so it stays → allow a,0 by null [] 3',
      'in a: check x failed, so it stays → hold a,0 by null [check x] 12',
      `in a: check x cannot-run, so the run is let go → allow ${RELEASED},0 by null [check x] 12`,
      'in a: check x no-time, so it stays → allow a,0 by null [] 12',
    ]);
  });

  it('are a check, and what a review says where the line comes to it', () => {
    const model = modelFrom(
      flow('a: { say: A, leave: [ { when: { check: x, review: r }, to: z } ] }').concat(
        'reviews: { r: { prompt: Look } }\n',
      ),
    );
    expect([...new Set(stopsOf(model, { state: 'a', stay: 0 }))]).toEqual([
      'in a: check x passed, review clean, so on to z → allow z,0 by 0 [check x,review r] 1',
      'in a: check x passed, review findings, so it stays → hold a,0 by null [check x,review r] 1',
      'in a: check x passed, review without a verdict, so it stays → allow a,0 by null [check x,review r] 1',
      'in a: check x failed, so it stays → hold a,0 by null [check x] 1',
      `in a: check x cannot-run, so the run is let go → allow ${RELEASED},0 by null [check x] 1`,
      'in a: check x no-time, so it stays → allow a,0 by null [] 3',
    ]);
  });

  it('are whether files exist and changed, one apart from the other, with no look at them on entry', () => {
    const model = modelFrom(
      flow(
        'a: { say: A, leave: [ { when: { file: f }, to: b } ], holds: 1, otherwise: b }',
        'b: { say: B, leave: [ { when: { file: { glob: f, is: missing } }, to: z }, { when: { file: { glob: f, is: changed } }, to: a } ] }',
      ),
    );
    expect(stopsOf(model, { state: 'a', stay: 1 })).toEqual([
      'in a: exists f: yes, so on to b → hold b,0 by 0 [] 12',
      'in a: exists f: no, so on to b → hold b,0 by otherwise [] 12',
    ]);
    expect(stopsOf(model, { state: 'b', stay: 0 })).toEqual([
      'in b: exists f: yes, changed f: yes, so on to a → hold a,1 by 1 [] 6',
      'in b: exists f: yes, changed f: no, so it stays → hold b,0 by null [] 6',
      'in b: exists f: no, so on to z → allow z,0 by 0 [] 12',
    ]);
  });
});

describe('a line that is looked at first', () => {
  const model = modelFrom(
    flow(
      'a: { say: A, leave: [ { when: { visits: 2 }, to: z }, { when: { signal: s, check: test }, to: z }, { when: { file: f }, to: a } ], holds: 1, otherwise: z }',
    ),
  );
  const node = (visits: number): Node => ({ state: 'a', stay: 0, 'visits a': visits });
  const seen = (visits: number, line: Parameters<FlowModel['stopsWith']>[1]): string[] => {
    const found: string[] = [];
    model.stopsWith(node(visits), line, (holds, { by, facts }) =>
      found.push(`${holds} by ${by}: ${Object.values(facts).join()}`),
    );
    return found;
  };

  it('holds when all of its conditions do, whichever line is taken', () => {
    expect(
      seen(1, [
        { kind: 'signal', name: 's' },
        { kind: 'file', glob: 'f', is: 'exists' },
      ]),
    ).toEqual([
      'true by 1: s,yes,passed',
      'true by 2: s,yes,failed',
      'true by null: s,yes,cannot-run',
      'true by null: s,yes,no-time',
      'false by 1: s,no,passed',
      'false by null: s,no,failed',
      'false by null: s,no,cannot-run',
      'false by null: s,no,no-time',
      'false by 2: ,yes',
      'false by null: ,no',
    ]);
  });

  it('does not hold for a check that says nothing', () => {
    const found = seen(2, [{ kind: 'check', name: 'test', is: 'failed' }]);
    expect([...new Set(found.map((line) => line.replace(/,.*/, '')))]).toEqual([
      'false by 0: passed',
      'true by 0: failed',
      'false by 0: cannot-run',
      'false by 0: no-time',
    ]);
  });

  it('holds by the visits of the node', () => {
    const isHolding = (least: number): string[] =>
      seen(2, [{ kind: 'visits', least }]).map((line) => line.replace(/:.*/, ''));
    expect(new Set(isHolding(2))).toEqual(new Set(['true by 0']));
    expect(new Set(isHolding(3))).toEqual(new Set(['false by 0']));
  });
});
