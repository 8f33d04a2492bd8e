// What is found of a flow as a graph, and what is read off it.

import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../../test/support/flow-run.ts';
import { type Arc, endingNodes, fewestHolds, type Graph, graphOf, isEnd, stateOf, wayTo } from './graph.ts';
import { type FlowModel, modelOf, RELEASED } from './model.ts';

const flow = (...states: readonly string[]): string =>
  `flow: sample\nstart: a\nstates:\n${states.map((state) => `  ${state}\n`).join('')}`;

const SAMPLE = flow(
  'a: { say: A, leave: [ { when: { signal: s, check: test }, to: b }, { when: { signal: t }, to: b } ] }',
  'b: { say: B, leave: [ { when: { check: [test, lint] }, to: z } ] }',
  'z: { end: completed }',
);

function modelFrom(text: string): FlowModel {
  const model = modelOf(definitionOf(text));
  if (model === null) throw new Error('too many combinations');
  return model;
}

/** By the numbers of nodes: `h` is a hold, `a` an allowed stop. */
function graphWith(states: readonly string[], arcs: readonly string[]): Graph {
  const leaving: Arc[][] = states.map(() => []);
  for (const arc of arcs) {
    const [from, how, to] = [Number(arc[0]), arc[1], Number(arc[2])];
    leaving[from]?.push({ to, by: null, hold: how === 'h', asks: [] });
  }
  return { nodes: states.map((state) => ({ state, stay: 0 })), arcs: leaving };
}

describe('the graph of a flow', () => {
  it('has its nodes breadth first, and each stop once for each line and each set of what it asks for', () => {
    const graph = graphOf(modelFrom(SAMPLE));
    expect(graph?.nodes.map(({ state }) => state)).toEqual(['a', 'b', RELEASED, 'z']);
    expect(graph?.arcs).toEqual([
      [
        { to: 1, by: 0, hold: true, asks: ['check test'] },
        { to: 0, by: null, hold: true, asks: ['check test'] },
        { to: 2, by: null, hold: false, asks: ['check test'] },
        { to: 0, by: null, hold: false, asks: [] },
        { to: 1, by: 1, hold: true, asks: [] },
        { to: 0, by: null, hold: true, asks: [] },
      ],
      [
        { to: 3, by: 0, hold: false, asks: ['check test', 'check lint'] },
        { to: 1, by: null, hold: true, asks: ['check test', 'check lint'] },
        { to: 2, by: null, hold: false, asks: ['check test', 'check lint'] },
        { to: 1, by: null, hold: false, asks: [] },
        { to: 1, by: null, hold: true, asks: ['check test'] },
        { to: 2, by: null, hold: false, asks: ['check test'] },
      ],
      [],
      [],
    ]);
  });

  it('has one arc for stops that differ in their facts alone', () => {
    const graph = graphOf(
      modelFrom(
        flow('a: { say: A, leave: [ { when: { signal: s, file: f }, to: z } ] }', 'z: { end: let-go }'),
      ),
    );
    expect(graph?.arcs[0]).toEqual([
      { to: 1, by: 0, hold: false, asks: [] },
      { to: 0, by: null, hold: true, asks: [] },
    ]);
  });
});

describe('the way to a node', () => {
  it('is the shortest, stop by stop, with a last line of its own', () => {
    const model = modelFrom(SAMPLE);
    expect(wayTo(model, { state: 'z', stay: 0 }, 'and here')).toEqual([
      'start: a',
      'stop: in a: signal s, check test passed, so on to b → hold',
      'stop: in b: check test passed, check lint passed, so on to z → allow',
      'and here',
    ]);
    expect(wayTo(model, { state: 'a', stay: 0 }, 'already here')).toEqual(['start: a', 'already here']);
  });

  it('is the last line alone where no way leads there', () => {
    const model = modelFrom(
      flow(
        'a: { say: A, leave: [ { when: { visits: 1 }, to: z } ] }',
        'b: { say: B, leave: [ { when: { signal: s }, to: z } ] }',
        'z: { end: completed }',
      ),
    );
    expect(wayTo(model, { state: 'b', stay: 0 }, 'never')).toEqual(['never']);
  });
});

describe('a node', () => {
  it('is called by its state', () => {
    expect(stateOf({ state: 'a', stay: 3 })).toBe('a');
    expect(stateOf(undefined)).toBe('undefined');
  });

  it('is an end by the definition', () => {
    const definition = definitionOf(SAMPLE);
    expect(['a', 'z', 'nowhere', RELEASED].map((name) => isEnd(definition, name))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('the nodes that lead to an end', () => {
  const definition = definitionOf(
    flow(
      'a: { say: A, leave: [ { when: { signal: s }, to: z } ] }',
      'z: { end: completed }',
      'gone: { end: let-go }',
    ),
  );
  const cases: [string, string[], string[], number[]][] = [
    ['lie on a way to it, however far', ['a', 'a', 'a', 'z'], ['0h1', '1a2', '2a3'], [0, 1, 2, 3]],
    ['are not those behind another way', ['a', 'a', 'a', 'z'], ['0h1', '0a3', '1a2', '2a1'], [0, 3]],
    ['may lie on a circle', ['a', 'a', 'gone'], ['0a1', '1a0', '1h2'], [0, 1, 2]],
    ['are not those that lead to being let go by the engine', ['a', RELEASED], ['0a1'], []],
    ['are both ends with what leads to each', ['a', 'z', 'a', 'gone'], ['0a1', '2h3'], [0, 1, 2, 3]],
    ['are none where there is no end', ['a', 'a'], ['0h1', '1h0'], []],
  ];
  it.each(cases)('%s', (_, states, arcs, expected) => {
    expect([...endingNodes(definition, graphWith(states, arcs))].sort()).toEqual(expected);
  });
});

describe('the fewest holds to a node', () => {
  const FAR = Number.POSITIVE_INFINITY;
  const cases: [string, number, string[], number[]][] = [
    ['are none at the start', 1, [], [0]],
    ['are none where stops are allowed', 3, ['0a1', '1a2'], [0, 0, 0]],
    ['are the holds on the way', 4, ['0h1', '1a2', '2h3'], [0, 1, 1, 2]],
    [
      'are those of the way with fewer holds, also if it has more stops',
      4,
      ['0h3', '0a1', '1a2', '2a3'],
      [0, 0, 0, 0],
    ],
    ['are those of the shorter of two ways with holds', 4, ['0h1', '1h2', '2h3', '0h2'], [0, 1, 1, 2]],
    [
      'come down where a later way is shorter',
      5,
      ['0h1', '1h2', '0a3', '3a4', '4h2', '2h1'],
      [0, 1, 1, 0, 0],
    ],
    ['are not more for a circle', 3, ['0h1', '1h0', '1h1', '1a2', '2h0'], [0, 1, 1]],
    ['are not more for a circle of allowed stops', 3, ['0a1', '1a0', '1h2'], [0, 0, 1]],
    ['have no number where no way leads', 3, ['0h1', '2h1'], [0, 1, FAR]],
    [
      'count on from each node of the same number',
      6,
      ['0h1', '0h2', '1h3', '2a4', '4h5', '3a5'],
      [0, 1, 1, 2, 1, 2],
    ],
  ];
  it.each(cases)('%s', (_, count, arcs, expected) => {
    const states = Array.from({ length: count }, () => 'a');
    expect(fewestHolds(graphWith(states, arcs))).toEqual(expected);
  });
});
