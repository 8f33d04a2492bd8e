import { describe, expect, it, test } from 'vitest';
import { readDiagrams } from '../../../../scripts/diagrams.mjs';
import type { Diagram } from '../../../engine/workflow-cli.ts';
import { BOX, layOut } from './diagram-layout.ts';

const diagrams: Readonly<Record<string, Diagram>> = readDiagrams('docs/states.md');

test.each(Object.keys(diagrams))('the states of "%s" are all there, and none lies on another', (name) => {
  const diagram = diagrams[name];
  if (diagram === undefined) throw new Error('it is gone');
  for (const room of [300, 540, 1100]) {
    const { states, ways, width, height } = layOut(diagram, room);
    expect(states.map(({ id }) => id).sort()).toEqual(Object.keys(diagram.states).sort());
    for (const one of states) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width).toBeLessThanOrEqual(width);
      expect(one.y + BOX).toBeLessThanOrEqual(height);
      const beside = states.filter(({ id, y }) => id !== one.id && y === one.y);
      for (const other of beside)
        expect(one.x + one.width <= other.x || other.x + other.width <= one.x).toBe(true);
    }
    const between = new Set(
      diagram.ways.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} ${to}`),
    );
    expect(new Set(ways.map(({ key }) => key))).toEqual(between);
  }
});

test('a state that nothing leads to is drawn all the same', () => {
  const diagram = {
    start: 'a',
    states: { a: 'a', b: 'b', lost: 'lost' },
    ways: [{ from: 'a', to: 'b', by: '' }],
  };
  expect(layOut(diagram, 400).states.map(({ id }) => id)).toEqual(['a', 'b', 'lost']);
});

describe('a diagram', () => {
  const way = (from: string, to: string, by = 'x') => ({ from, to, by });
  const diagram = (states: string[], ways: Diagram['ways']): Diagram =>
    ({ start: 'a', states: Object.fromEntries(states.map((id) => [id, id.repeat(3)])), ways }) as Diagram;

  it('of one state stands in the middle of the room', () => {
    const { states, ways, width, height } = layOut(diagram(['a'], []), 400);
    expect(states).toEqual([{ id: 'a', label: 'aaa', x: 168, y: 6, width: 64 }]);
    expect({ ways, width, height }).toEqual({ ways: [], width: 400, height: BOX + 14 });
  });

  it('has a row for each step from the start, and what no way leads to stands last', () => {
    const { states, height } = layOut(
      diagram(['lost', 'c', 'a', 'b'], [way('a', 'b'), way('b', 'c'), way('a', 'c')]),
      400,
    );
    const rows = Object.fromEntries(states.map(({ id, y }) => [id, y]));
    expect(rows).toEqual({ a: 6, b: 72, c: 72, lost: 138 });
    expect(height).toBe(3 * 66 - 36 + 14);
  });

  it('names a state by its label, and a box is as wide as that', () => {
    const { states } = layOut(
      { ...diagram([], []), states: { a: 'a state with a long name' } } as Diagram,
      100,
    );
    expect(states[0]).toMatchObject({ label: 'a state with a long name', width: 24 * 6.9 + 24 });
    expect(layOut(diagram([], []), 100).states[0]).toMatchObject({ id: 'a', label: 'a' });
  });

  it('is wider than the room where a row needs it', () => {
    const ids = ['b', 'c', 'd', 'e'];
    const { width } = layOut(
      diagram(
        ['a', ...ids],
        ids.map((id) => way('a', id)),
      ),
      100,
    );
    expect(width).toBe(4 * 64 + 3 * 18 + 2 * 34);
  });

  it('puts each state near those that lead to it', () => {
    const ways = [way('a', 'b'), way('a', 'c'), way('b', 'e'), way('c', 'd')];
    const { states } = layOut(diagram(['a', 'b', 'c', 'd', 'e'], ways), 600);
    const at = (id: string) => states.find((state) => state.id === id)?.x ?? 0;
    expect(at('b')).toBeLessThan(at('c'));
    expect(at('e')).toBeLessThan(at('d'));
  });

  it('has one way for all that leads from a state to another, and none back to itself', () => {
    const { ways } = layOut(
      diagram(['a', 'b'], [way('a', 'b', 'one'), way('a', 'b', 'two'), way('a', 'a'), way('a', 'gone')]),
      400,
    );
    expect(ways.map(({ key, by }) => [key, by])).toEqual([['a b', 'one; two']]);
    expect(ways[0]?.path).toBe('M200 36 C200 53 200 53 200 70');
  });

  it('draws there and back beside each other', () => {
    const { ways } = layOut(diagram(['a', 'b'], [way('a', 'b'), way('b', 'a')]), 400);
    expect(ways.map(({ path }) => path)).toEqual([
      'M191 36 C191 53 191 53 191 70',
      'M209 72 C209 55 209 55 209 38',
    ]);
  });

  it('draws a way within a row straight, from box to box', () => {
    const ways = [way('a', 'b'), way('a', 'c'), way('b', 'c')];
    const drawn = layOut(diagram(['a', 'b', 'c'], ways), 400);
    const [b, c] = ['b', 'c'].map((id) => drawn.states.find((state) => state.id === id));
    const right = (b?.x ?? 0) + 64;
    expect(drawn.ways[2]?.path).toBe(`M${right} 87 L${(c?.x ?? 0) - 2} 87`);
    const both = layOut(diagram(['a', 'b', 'c'], [...ways, way('c', 'b')]), 400);
    expect(both.ways[2]?.path).toBe(`M${right} 80 L${(c?.x ?? 0) - 2} 80`);
    expect(both.ways[3]?.path).toBe(`M${c?.x} 94 L${right + 2} 94`);
  });

  it('leads back over several rows around the nearer side', () => {
    const ways = [way('a', 'b'), way('b', 'c'), way('c', 'a')];
    const back = (states: string[], more: Diagram['ways']) =>
      layOut(diagram(states, [...ways, ...more]), 400).ways.find(({ key }) => key === 'c a')?.path;
    expect(back(['a', 'b', 'c'], [])).toBe('M168 153 C132 153 132 21 166 21');
    // Another state beside it moves it to the right.
    expect(back(['a', 'b', 'd', 'c'], [way('b', 'd')])).toMatch(/^M\d+(\.\d+)? 153 C/);
    const right = back(['a', 'b', 'd', 'c'], [way('b', 'd')]) ?? '';
    const [from = 0, out = 0] = [...right.matchAll(/[MC](\d+(?:\.\d+)?)/g)].map(([, x]) => Number(x));
    expect(out).toBeGreaterThan(from);
  });
});
