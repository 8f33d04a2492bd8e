import { describe, expect, it } from 'vitest';
import { longestHold } from './bound.ts';
import { Choices, LazyFacts } from './choices.ts';
import { explore, type Model, report } from './explorer.ts';
import { checker, only, unless } from './invariant.ts';
import { LeftTheSpace, Space } from './space.ts';

type Node = { count: number; door: 'open' | 'shut' };
type Each = Parameters<Model<Node>['expand']>[1];

/** A counter from zero, and a door that anybody may shut by hand. */
function counting(expand: (node: Node, each: Each) => void, more: Partial<Model<Node>> = {}): Model<Node> {
  return {
    ...{ name: 'counter', starts: [{ label: 'zero', node: { count: 0, door: 'open' } }], expand },
    space: new Space<Node>({ count: [0, 1, 2, 3, 4], door: ['open', 'shut'] }),
    editable: () => ['door'],
    ...more,
  };
}
const edge = (what: string, to: Node, how: string | null = null) => ({
  ...{ by: 'stop' as const, what: () => what, to, answer: 'hold' as const, about: what, combinations: 1 },
  broken: how === null ? null : { invariant: 'stays below', how },
});
const up = ({ count, door }: Node): Node => ({ count: count + 1, door });
/** Up to four, and back to zero by a command; nobody minds anything. */
const quiet = (more: Partial<Model<Node>> = {}): Model<Node> =>
  counting((node, each) => {
    each({ ...edge('one more', { ...node, count: Math.min(4, node.count + 1) }), combinations: 3 });
    each({ ...edge('back', { ...node, count: 0 }), by: 'command', answer: null, combinations: 3 });
  }, more);

describe('the explorer', () => {
  it('prints the shortest way to a broken invariant, with the edit by hand that it takes', () => {
    const model = counting((node, each) => {
      const to = up(node);
      each(edge('one more', to, to.count >= 2 && node.door === 'shut' ? `${to.count}` : null));
      each(edge('back to zero', { ...node, count: 0 }));
    });
    const way = ['start: zero', 'stop: one more → hold', 'by hand: door → "shut"', 'stop: one more → hold'];
    const steps = way.map((step, index) => `  ${index + 1}. ${step}`);
    expect(report(explore(model)).split('\n')).toEqual([
      ...['broken: stays below (2)', 'the shortest way there:', ...steps],
    ]);
  });

  it('reports a value outside of its domain as broken', () => {
    const { violation } = explore(counting((node, each) => each(edge('one more', up(node)))));
    expect(violation).toMatchObject({ invariant: 'a value stays in its domain', how: 'count became 5' });
  });

  it('counts all that it saw, with the edits by hand', () => {
    const visited: string[] = [];
    const explored = explore(quiet(), ({ count, door }, { by }) => visited.push(`${count} ${door} ${by}`));
    // Ten nodes, each with two edges and one edit.
    expect(explored).toEqual({ cut: false, states: 10, transitions: 30, combinations: 70, violation: null });
    expect([visited.length, ...visited.slice(0, 3)]).toEqual([
      20,
      '0 open stop',
      '0 open command',
      '1 open stop',
    ]);
    expect(report(explored)).toBe('no invariant is broken');
    expect(explore(quiet({ editable: () => [] }))).toMatchObject({ states: 5, transitions: 10 });
  });

  it.each([
    [10, 30, { cut: false, states: 10, transitions: 30 }],
    [9, 1000, { cut: true, states: 10 }],
    [1000, 29, { cut: true, transitions: 30 }],
    [1000, 2, { cut: true, transitions: 3, states: 3 }],
    [0, 0, { cut: true, transitions: 0, states: 1 }],
  ])('is cut where it reaches farther than %i states and %i transitions', (states, transitions, expected) => {
    expect(explore(quiet(), () => {}, { states, transitions })).toMatchObject({
      ...expected,
      violation: null,
    });
  });

  it('begins at every start, sees each node once, and ends at the first edge that is broken', () => {
    const shut: Node = { count: 3, door: 'shut' };
    const starts = ['there', 'there too'].map((label) => ({ label, node: shut }));
    const all = [{ label: 'here', node: { count: 4, door: 'open' as const } }, ...starts];
    const closed = counting((node, each) => each(edge('on', node, node.door === 'shut' ? 'x' : null)), {
      ...{ starts: all, editable: () => [] },
    });
    expect(explore(closed)).toMatchObject({
      ...{
        states: 2,
        transitions: 2,
        combinations: 2,
        violation: { path: ['start: there', 'stop: on → hold'] },
      },
    });
    const first = counting((node, each) => {
      each(edge('one', up(node), '1'));
      each(edge('two', up(node), '2'));
      each(edge('three', up(up(node))));
    });
    expect(explore(first, () => {}, { states: 1, transitions: 2 })).toMatchObject({
      ...{ cut: false, states: 1, transitions: 3, violation: { how: '1' } },
    });
    expect(explore(first, () => {}, { states: 0.5, transitions: 2 }).violation).toBeNull();
  });

  it('finds its way in a space that is far too large to be laid out', () => {
    const many = Array.from({ length: 2000 }, (_, at) => at);
    const model: Model<{ a: number; b: number }> = {
      ...{
        name: 'large',
        space: new Space({ a: many, b: many }),
        starts: [{ label: 'zero', node: { a: 0, b: 0 } }],
      },
      editable: () => [],
      expand: ({ a, b }, each) =>
        each({ ...edge(`${a}`, {} as Node, a === 2 ? '2' : null), to: { a: a + 1, b: b + 1 } }),
    };
    const path = ['start: zero', ...[0, 1, 2].map((a) => `stop: ${a} → hold`)];
    expect(explore(model)).toMatchObject({ states: 3, violation: { path } });
    expect(explore(model, () => {}, { states: 9, transitions: 9 })).toMatchObject({ violation: { path } });
  });

  it('says so where a model goes another way the second time, and hides no error of its own', () => {
    let times = 0;
    const model = counting(({ count, door }, each) =>
      each(edge('on', { count: times++ === 0 ? 1 : 0, door }, count === 1 ? 'b' : null)),
    );
    expect(explore(model).violation?.path[1]).toContain('the model is not deterministic');
    const visit = () => {
      throw new Error('its own');
    };
    expect(() => explore(quiet(), visit)).toThrow('its own');
  });
});

it('facts are chosen when they are read, in every combination that matters, and the rest is counted', () => {
  const asked: string[] = [];
  const lazy = new LazyFacts<string, { a: number; b: string; c: boolean }>({
    a: (node) => [asked.push(node), 2, 3].fill(1, 0, 1),
    b: () => ['x', 'y'],
    c: () => [true, false],
  });
  const seen: unknown[] = [];
  let combinations = 0;
  const look = (facts: { a: number; b: string }): void => {
    if (facts.a === 2) void facts.b;
    expect(facts.a).toBe(facts.a);
    seen.push(lazy.read());
    combinations += lazy.combinations();
  };
  lazy.each('n', look);
  expect([seen, combinations]).toEqual([[{ a: 1 }, { a: 2, b: 'x' }, { a: 2, b: 'y' }, { a: 3 }], 12]);
  lazy.each('m', look);
  expect([asked, Object.keys(lazy.facts)]).toEqual([
    ['n', 'm'],
    ['a', 'b', 'c'],
  ]);
});

it('choices go through every row like a counter, and then there is none', () => {
  const choices = new Choices();
  const rows: string[] = [];
  do {
    const first = choices.pick(['a', 'b']);
    rows.push(first === 'b' ? first : first + choices.pick([1, 2]));
  } while (choices.next());
  expect([rows, choices.next()]).toEqual([['a1', 'a2', 'b'], false]);
  expect(() => new Choices().pick([])).toThrow('nothing to choose from');
  expect(new Choices().pick([undefined])).toBeUndefined();
});

it('a space numbers its nodes, and knows the values and the edits of a field', () => {
  const space = new Space<{ a: number | null; b: string }>({ a: [7, null, 9], b: ['x', 'y'] });
  const nodes = Array.from({ length: space.size }, (_, index) => space.nodeAt(index));
  expect(nodes.map(({ a, b }) => `${a}${b}`)).toEqual(['7x', 'nullx', '9x', '7y', 'nully', '9y']);
  expect(nodes.map((node) => space.indexOf(node))).toEqual([0, 1, 2, 3, 4, 5]);
  expect([space.valuesOf('a'), space.valuesOf('c' as 'a')]).toEqual([[7, null, 9], []]);
  expect(() => space.indexOf({ a: 8, b: 'x' })).toThrow(new LeftTheSpace('a became 8'));
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
});

it('invariants are checked in their order, up to the first that is broken, and can be taken one by one', () => {
  const invariants = {
    'is small': (value: number) => unless(value < 10, `${value} is not`),
    'is even': (value: number) => unless(value % 2 === 0, 'it is odd'),
  };
  const odd = { invariant: 'is even', how: 'it is odd' };
  expect([2, 3, 11].map(checker(invariants))).toEqual([
    null,
    odd,
    { invariant: 'is small', how: '11 is not' },
  ]);
  expect(checker(only(invariants, 'is even'))(11)).toEqual(odd);
  expect(() => only(invariants, 'is odd')).toThrow('there is no invariant "is odd"');
});

/** `ab!`: from a to b by a hold. */
const longest = (starts: string, arcs: string) =>
  longestHold(
    [...starts],
    (node) =>
      arcs
        .split(' ')
        .filter((arc) => arc[0] === node)
        .map((arc) => ({ to: arc[1] ?? '', what: arc.slice(0, 2), hold: arc.endsWith('!') })),
    (node) => node,
  );

it.each<[string, string, string, number, number]>([
  ['a node alone', 'a', '', 0, 1],
  ['one hold', 'a', 'ab!', 1, 2],
  ['no hold', 'a', 'ab', 0, 2],
  ['the longer of two ways, from the start that is worse', 'za', 'zd! ad! ab! bc! cd!', 3, 5],
  ['a circle without a hold that one leads into and out of', 'a', 'ab! bc cd db de! ef!', 3, 6],
  ['two circles that share a node', 'a', 'ab ac ba ca cd!', 1, 4],
  ['a hold across to what was seen before is on no circle', 'a', 'ab ac bd! cb!', 2, 4],
])('an agent can be held: %s', (_, starts, arcs, holds, nodes) => {
  expect(longest(starts, arcs)).toEqual({ kind: 'bounded', holds, nodes, from: 'a' });
});

it.each([
  ['at one node', 'aa!', 'aa'],
  ['round three', 'ab bc! ca', 'bc ca ab'],
  ['after a way there', 'ab bc! cb', 'bc cb'],
  ['the shortest way round, and not out of the circle', 'ax ab! bx bc bd cd da', 'ab bd da'],
])('an agent can be held for ever: %s', (_, arcs, circle) => {
  expect(longest('a', arcs)).toEqual({ kind: 'endless', circle: circle.split(' ') });
});
