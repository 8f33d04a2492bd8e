import { describe, expect, it } from 'vitest';
import { longestHold } from './bound.ts';
import { Choices, LazyFacts } from './choices.ts';
import { type Edge, explore, type Model, report } from './explorer.ts';
import { checker, only, unless } from './invariant.ts';
import { LeftTheSpace, Space } from './space.ts';

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

describe('all that was explored', () => {
  /** A counter up to 4 that a command sets back; nobody minds anything. */
  const quiet = (more: Partial<Model<Node>> = {}): Model<Node> => ({
    ...counting(9),
    expand: ({ count, door }, each) => {
      const to = { count: Math.min(4, count + 1), door };
      const plain = { combinations: 3, broken: null, about: 'x' };
      each({ ...plain, by: 'stop', what: () => 'one more', to, answer: 'allow' });
      each({ ...plain, by: 'command', what: () => 'back', to: { count: 0, door }, answer: null });
    },
    ...more,
  });

  it('is counted, with the edits by hand', () => {
    const visited: string[] = [];
    const explored = explore(quiet(), ({ count, door }, { by }) => visited.push(`${count} ${door} ${by}`));
    // Ten nodes, each with two edges and one edit.
    expect(explored).toEqual({ cut: false, states: 10, transitions: 30, combinations: 70, violation: null });
    expect(visited).toHaveLength(20);
    expect(visited.slice(0, 3)).toEqual(['0 open stop', '0 open command', '1 open stop']);
    expect(report(explored)).toBe('no invariant is broken');
  });

  it('is less where nobody edits by hand', () => {
    expect(explore(quiet({ editable: () => [] }))).toMatchObject({ states: 5, transitions: 10 });
  });

  it.each([
    [
      { states: 10, transitions: 30 },
      { cut: false, states: 10, transitions: 30 },
    ],
    [
      { states: 9, transitions: 1000 },
      { cut: true, states: 10 },
    ],
    [
      { states: 1000, transitions: 29 },
      { cut: true, transitions: 30 },
    ],
    [
      { states: 1000, transitions: 2 },
      { cut: true, transitions: 3, states: 3 },
    ],
    [
      { states: 0, transitions: 0 },
      { cut: true, transitions: 0, states: 1 },
    ],
  ])('is cut where it reaches farther than %j', (reach, expected) => {
    expect(explore(quiet(), () => {}, reach)).toMatchObject({ ...expected, violation: null });
  });

  it('begins at every start, and each is seen once', () => {
    const node: Node = { count: 3, door: 'shut' };
    const starts = [
      { label: 'here', node: { count: 4, door: 'open' as const } },
      { label: 'there', node },
      { label: 'there too', node },
    ];
    const model = quiet({ starts, editable: () => [], expand: () => {} });
    expect(explore(model)).toMatchObject({ states: 2, transitions: 0 });
    const broken = { invariant: 'never', how: 'shut' };
    const expand: Model<Node>['expand'] = (from, each) =>
      each({
        ...{ by: 'time', what: () => 'a day', to: from, answer: null, about: 'x', combinations: 1 },
        broken: from.door === 'shut' ? broken : null,
      });
    expect(explore(quiet({ starts, expand, editable: () => [] }))).toEqual({
      ...{ cut: false, states: 2, transitions: 2, combinations: 2 },
      violation: { ...broken, path: ['start: there', 'time: a day'] },
    });
  });

  it('ends at the first that is broken, and what comes after it in the same node is not seen', () => {
    const first = { invariant: 'a', how: '1' };
    const expand: Model<Node>['expand'] = ({ count, door }, each) => {
      const plain = { by: 'command' as const, answer: null, about: 'x', combinations: 1 };
      each({ ...plain, what: () => 'one', to: { count: count + 1, door }, broken: first });
      each({ ...plain, what: () => 'two', to: { count: count + 1, door }, broken: { ...first, how: '2' } });
      each({ ...plain, what: () => 'three', to: { count: count + 2, door }, broken: null });
    };
    const explored = explore(quiet({ expand }), () => {}, { states: 0.5, transitions: 2 });
    expect(explored.violation).toBeNull();
    expect(explore(quiet({ expand }), () => {}, { states: 1, transitions: 2 })).toEqual({
      ...{ cut: false, states: 1, transitions: 3, combinations: 3 },
      violation: { ...first, path: ['start: zero', 'command: one'] },
    });
  });

  it('is found in a space that is far too large to be laid out', () => {
    const many = Array.from({ length: 2000 }, (_, at) => at);
    const space = new Space<{ a: number; b: number }>({ a: many, b: many });
    const model: Model<{ a: number; b: number }> = {
      ...{ name: 'large', space, starts: [{ label: 'zero', node: { a: 0, b: 0 } }], editable: () => [] },
      expand: ({ a, b }, each) =>
        each({
          ...{ by: 'stop', what: () => `${a}`, to: { a: a + 1, b: b + 1 }, answer: null, about: 'x' },
          ...{ combinations: 1, broken: a === 2 ? { invariant: 'small', how: '2' } : null },
        }),
    };
    const path = ['start: zero', 'stop: 0', 'stop: 1', 'stop: 2'];
    expect(explore(model)).toMatchObject({ states: 3, violation: { path } });
    expect(explore(model, () => {}, { states: 9, transitions: 9 })).toMatchObject({ violation: { path } });
  });

  it('says so where a model goes another way the second time', () => {
    let times = 0;
    const expand: Model<Node>['expand'] = ({ count, door }, each) => {
      const to = { count: times++ === 0 ? 1 : 0, door };
      const broken = count === 1 ? { invariant: 'a', how: 'b' } : null;
      each({ by: 'stop', what: () => 'on', to, answer: null, about: 'x', combinations: 1, broken });
    };
    expect(explore(quiet({ expand, editable: () => [] })).violation?.path).toEqual([
      'start: zero',
      'an edge that is not there twice: the model is not deterministic',
      'stop: on',
    ]);
  });

  it('hides no error of the model’s own', () => {
    const visit = () => {
      throw new Error('its own');
    };
    expect(() => explore(quiet(), visit)).toThrow('its own');
  });
});

describe('a space', () => {
  const space = new Space<{ a: number | null; b: string }>({ a: [7, null, 9], b: ['x', 'y'] });

  it('numbers its nodes', () => {
    expect(space.size).toBe(6);
    const nodes = [0, 1, 2, 3, 4, 5].map((index) => space.nodeAt(index));
    expect(nodes).toEqual([
      { a: 7, b: 'x' },
      { a: null, b: 'x' },
      { a: 9, b: 'x' },
      { a: 7, b: 'y' },
      { a: null, b: 'y' },
      { a: 9, b: 'y' },
    ]);
    expect(nodes.map((node) => space.indexOf(node))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('knows the values of a field, and which are none of them', () => {
    expect(space.valuesOf('a')).toEqual([7, null, 9]);
    expect(space.valuesOf('c' as 'a')).toEqual([]);
    expect(() => space.indexOf({ a: 8, b: 'x' })).toThrow(new LeftTheSpace('a became 8'));
    expect(() => space.indexOf({ a: 7, b: 'z' })).toThrow('b became "z"');
  });

  it('has an edit for each other value of the fields that are named', () => {
    const edits = (index: number, names: string[]): unknown[] => {
      const found: unknown[] = [];
      space.edits(index, names, (...edit) => found.push(edit));
      return found;
    };
    expect(edits(4, ['a', 'b'])).toEqual([
      [3, 'a', 7],
      [5, 'a', 9],
      [1, 'b', 'x'],
    ]);
    expect(edits(0, ['b', 'c'])).toEqual([[3, 'b', 'y']]);
    expect(edits(0, [])).toEqual([]);
  });
});

describe('invariants', () => {
  const invariants = {
    'is small': (value: number) => unless(value < 10, `${value} is not`),
    'is even': (value: number) => unless(value % 2 === 0, 'it is odd'),
  };

  it.each([
    [2, null],
    [3, { invariant: 'is even', how: 'it is odd' }],
    [11, { invariant: 'is small', how: '11 is not' }],
  ])('are checked in their order, up to the first that is broken: %d', (value, broken) => {
    expect(checker(invariants)(value)).toEqual(broken);
  });

  it('can be taken one by one', () => {
    expect(Object.keys(only(invariants, 'is even'))).toEqual(['is even']);
    expect(checker(only(invariants, 'is even'))(11)).toEqual({ invariant: 'is even', how: 'it is odd' });
    expect(() => only(invariants, 'is odd')).toThrow('there is no invariant "is odd"');
  });
});

describe('choices', () => {
  it('go through every row like a counter, and then there is none', () => {
    const choices = new Choices();
    const rows: string[] = [];
    do {
      const first = choices.pick(['a', 'b']);
      rows.push(first === 'b' ? first : first + choices.pick([1, 2]));
    } while (choices.next());
    expect(rows).toEqual(['a1', 'a2', 'b']);
    expect(choices.next()).toBe(false);
  });

  it('are made among something, which may be undefined', () => {
    expect(() => new Choices().pick([])).toThrow('nothing to choose from');
    expect(new Choices().pick([undefined])).toBeUndefined();
  });

  it('of facts are known after they were read, and each domain is asked once for a node', () => {
    const asked: string[] = [];
    const lazy = new LazyFacts<string, { a: number; b: string }>({
      a: (node) => {
        asked.push(`a of ${node}`);
        return [1, 2];
      },
      b: (node) => {
        asked.push(`b of ${node}`);
        return [node];
      },
    });
    expect(Object.keys(lazy.facts)).toEqual(['a', 'b']);
    const seen: unknown[] = [];
    const look = (facts: { a: number; b: string }): void => {
      seen.push(lazy.read(), lazy.combinations());
      if (facts.a === 2) void facts.b;
      seen.push(lazy.read(), lazy.combinations());
    };
    lazy.each('n', look);
    expect(seen).toEqual([{}, 2, { a: 1 }, 1, {}, 2, { a: 2, b: 'n' }, 1]);
    expect(asked).toEqual(['a of n', 'b of n']);
    lazy.each('m', look);
    expect(seen.at(-2)).toEqual({ a: 2, b: 'm' });
    expect(asked).toEqual(['a of n', 'b of n', 'a of m', 'b of m']);
  });
});

describe('how long an agent can be held', () => {
  type Arcs = Readonly<Record<string, readonly (readonly [to: string, hold: boolean])[]>>;
  const longest = (starts: string[], arcs: Arcs) =>
    longestHold(
      starts,
      (node) => (arcs[node] ?? []).map(([to, hold]) => ({ to, what: `${node}-${to}`, hold })),
      (node) => node,
    );

  it.each<[string, string[], Arcs, object]>([
    ['a node alone', ['a'], {}, { holds: 0, nodes: 1, from: 'a' }],
    ['one hold', ['a'], { a: [['b', true]] }, { holds: 1, nodes: 2, from: 'a' }],
    ['none', ['a'], { a: [['b', false]] }, { holds: 0, nodes: 2, from: 'a' }],
    [
      'the longer of two ways, from the start that is worse',
      ['z', 'a'],
      {
        z: [['d', true]],
        a: [
          ['d', true],
          ['b', true],
        ],
        b: [['c', true]],
        c: [['d', true]],
      },
      { holds: 3, nodes: 5, from: 'a' },
    ],
    [
      'a circle without a hold that one leads into and out of',
      ['a'],
      {
        a: [['b', true]],
        b: [['c', false]],
        c: [['d', false]],
        d: [
          ['b', false],
          ['e', true],
        ],
        e: [['f', true]],
      },
      { holds: 3, nodes: 6, from: 'a' },
    ],
    [
      'two circles that share a node',
      ['a'],
      {
        a: [
          ['b', false],
          ['c', false],
        ],
        b: [['a', false]],
        c: [
          ['a', false],
          ['d', true],
        ],
      },
      { holds: 1, nodes: 4, from: 'a' },
    ],
    [
      'a hold across to what was seen before is on no circle',
      ['a'],
      {
        a: [
          ['b', false],
          ['c', false],
        ],
        b: [['d', true]],
        c: [['b', true]],
      },
      { holds: 2, nodes: 4, from: 'a' },
    ],
  ])('%s', (_, starts, arcs, bound) => {
    expect(longest(starts, arcs)).toEqual({ kind: 'bounded', ...bound });
  });

  it.each<[string, Arcs, string[]]>([
    ['at one node', { a: [['a', true]] }, ['a-a']],
    ['round three', { a: [['b', false]], b: [['c', true]], c: [['a', false]] }, ['b-c', 'c-a', 'a-b']],
    [
      'the shortest way round, and not out of the circle',
      {
        a: [
          ['x', false],
          ['b', true],
        ],
        b: [
          ['x', false],
          ['c', false],
          ['d', false],
        ],
        c: [['d', false]],
        d: [['a', false]],
      },
      ['a-b', 'b-d', 'd-a'],
    ],
  ])('for ever: %s', (_, arcs, circle) => {
    expect(longest(['a'], arcs)).toEqual({ kind: 'endless', circle });
  });
});
