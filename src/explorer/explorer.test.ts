import { describe, expect, it } from 'vitest';
import { longestHold } from './bound.ts';
import { LazyFacts } from './choices.ts';
import { type Edge, explore, type Model, report } from './explorer.ts';
import { Space } from './space.ts';

type Node = { count: number; door: 'open' | 'shut' };

/** A counter that must stay below `limit`, and a door nobody minds. */
function counting(limit: number): Model<Node> {
  return {
    name: 'counter',
    space: new Space<Node>({ count: [0, 1, 2, 3, 4], door: ['open', 'shut'] }),
    starts: [{ label: 'zero', node: { count: 0, door: 'open' } }],
    editable: () => ['door'],
    expand: ({ count, door }, each) => {
      const edge = (what: string, to: Node): Edge<Node> => ({
        ...{ by: 'stop', what: () => what, to, answer: 'hold', about: what, combinations: 1 },
        broken:
          to.count >= limit && door === 'shut' ? { invariant: 'stays below', how: `${to.count}` } : null,
      });
      each(edge('one more', { count: count + 1, door }));
      each(edge('back to zero', { count: 0, door }));
    },
  };
}

describe('the explorer', () => {
  it('prints the shortest way to a broken invariant, with the edit by hand that it takes', () => {
    expect(report(explore(counting(2)))).toBe(
      [
        'broken: stays below (2)',
        'the shortest way there:',
        '  1. start: zero',
        '  2. stop: one more → hold',
        '  3. by hand: door → "shut"',
        '  4. stop: one more → hold',
      ].join('\n'),
    );
  });

  it('reports a value outside of its domain as broken', () => {
    expect(explore(counting(9)).violation).toMatchObject({
      invariant: 'a value stays in its domain',
      how: 'count became 5',
    });
  });
});

describe('facts that are chosen when they are read', () => {
  const lazy = new LazyFacts<null, { a: number; b: string; c: boolean }>({
    a: () => [1, 2, 3],
    b: () => ['x', 'y'],
    c: () => [true, false],
  });

  it('are tried in every combination that matters, and the rest is counted', () => {
    const tried: string[] = [];
    let combinations = 0;
    lazy.each(null, (facts) => {
      tried.push(facts.a === 2 ? `${facts.a}${facts.b}` : `${facts.a}`);
      combinations += lazy.combinations();
    });
    expect(tried).toEqual(['1', '2x', '2y', '3']);
    expect(combinations).toBe(12);
  });

  it('stay the same within a run', () => {
    lazy.each(null, (facts) => expect(facts.a).toBe(facts.a));
  });
});

describe('the longest hold', () => {
  const graph =
    (arcs: Readonly<Record<string, readonly (readonly [string, boolean])[]>>) =>
    (node: string): { to: string; what: string; hold: boolean }[] =>
      (arcs[node] ?? []).map(([to, hold]) => ({ to, what: `${node}-${to}`, hold }));
  const name = (node: string): string => node;

  it('counts holds only, through circles that have none', () => {
    const arcs = {
      a: [['b', true]],
      b: [['c', false]],
      c: [
        ['b', false],
        ['d', true],
      ],
      d: [],
    } as const;
    expect(longestHold(['a'], graph(arcs), name)).toMatchObject({ kind: 'bounded', holds: 2 });
  });

  it('finds a circle with a hold on it, and names the way round', () => {
    const arcs = { a: [['b', false]], b: [['c', true]], c: [['b', false]] } as const;
    expect(longestHold(['a'], graph(arcs), name)).toEqual({ kind: 'endless', circle: ['b-c', 'c-b'] });
  });
});
