// What the page works out before it draws anything: words for times and amounts, marks on the timeline, the places of
// states in a diagram. How it looks is test/web's.

import { describe, expect, it } from 'vitest';
import type { Diagram } from '../../src/engine/workflow-cli.ts';
import type { StopKind, StopView } from '../../src/view/model.ts';
import { BOX, layOut } from '../../src/views/page/parts/diagram-layout.ts';
import { gather, LANES } from '../../src/views/page/parts/timeline-marks.ts';
import { ago, amount, clock, lengthOf, money, plural, RANK_WORDS } from '../../src/views/page/words.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('words of the page', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [SECOND, '1 s'],
    [1_240, '1.2 s'],
    [9_999, '10 s'],
    [10 * SECOND, '10 s'],
    [42_400, '42 s'],
    [MINUTE, '1 min'],
    [HOUR - 1, '60 min'],
    [HOUR, '1 h'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [2 * HOUR + MINUTE - 1, '2 h'],
    [DAY, '1 d'],
    [3 * DAY + 4 * HOUR, '3 d 4 h'],
  ])('%d ms are %s', (milliseconds, said) => {
    expect(lengthOf(milliseconds)).toBe(said);
  });

  it('what was less than ten seconds ago is just now', () => {
    expect(ago(0, 9_999)).toBe('just now');
    expect(ago(0, 10 * SECOND)).toBe('10 s ago');
    expect(ago(MINUTE, 4 * MINUTE)).toBe('3 min ago');
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_250, '1.3k'],
    [9_940, '9.9k'],
    [10_400, '10k'],
    [999_999, '1000k'],
    [1_000_000, '1M'],
    [3_440_000, '3.4M'],
    [99_940_000, '99.9M'],
    [100_600_000, '101M'],
  ])('%d are %s', (value, said) => {
    expect(amount(value)).toBe(said);
  });

  it('money has two digits, and one thing is no plural', () => {
    expect([money(0), money(1.005), money(12)]).toEqual(['$0.00', '$1.00', '$12.00']);
    expect([plural(0, 'run'), plural(1, 'run'), plural(2, 'run')]).toEqual(['0 runs', '1 run', '2 runs']);
  });

  it('the day stands before the time where it is not today’s', () => {
    const now = new Date(2026, 10, 17, 12, 0, 0).getTime();
    const today = clock(new Date(2026, 10, 17, 9, 5, 7).getTime(), now);
    const before = clock(new Date(2026, 10, 16, 9, 5, 7).getTime(), now);
    expect(today).toMatch(/^0?9:05:07/);
    expect(before).toMatch(/16.*, 0?9:05:07/);
    expect(before.endsWith(today)).toBe(true);
  });

  it('a rank has words, in the order in which runs are shown', () => {
    expect(Object.values(RANK_WORDS)).toEqual(['needs you', 'failing', 'running', 'waiting', 'done']);
  });
});

describe('marks of the timeline', () => {
  const stop = (at: number, kind: StopKind, offset = at): StopView =>
    ({ at, kind, position: { segment: 2, offset } }) as unknown as StopView;

  it('none for no stops', () => {
    expect(gather([], 100)).toEqual([]);
  });

  it('one for each stop where there is room, the oldest first', () => {
    const [newest, oldest] = [stop(1000, 'held'), stop(0, 'held')];
    const marks = gather([newest, oldest], 100);
    expect(marks).toEqual([
      { key: '2-0', stop: oldest, count: 1, from: 0 },
      { key: '2-1000', stop: newest, count: 1, from: 1000 },
    ]);
  });

  it('one for those that lie together, named after its first stop, with the newest to show', () => {
    // Ten milliseconds a pixel: nine pixels are ninety milliseconds.
    const stops = [stop(1000, 'held'), stop(90, 'held'), stop(89, 'held'), stop(0, 'held')];
    const marks = gather(stops, 100);
    expect(marks.map(({ key, count, stop: { at } }) => [key, count, at])).toEqual([
      ['2-0', 2, 89],
      ['2-90', 1, 90],
      ['2-1000', 1, 1000],
    ]);
  });

  it('stops of another kind have a row of their own', () => {
    const marks = gather([stop(1000, 'held'), stop(5, 'allowed'), stop(0, 'held')], 100);
    expect(marks.map(({ stop: { kind } }) => kind)).toEqual(['held', 'allowed', 'held']);
  });

  it('of one moment, or without any width, lie together', () => {
    expect(gather([stop(7, 'held', 2), stop(7, 'held', 1)], 100).map(({ count }) => count)).toEqual([2]);
    expect(gather([stop(900, 'held'), stop(0, 'held')], 0).map(({ count }) => count)).toEqual([2]);
  });

  it('held and allowed always have a row', () => {
    expect(LANES.filter(({ always }) => always).map(({ name }) => name)).toEqual(['held', 'allowed']);
    expect(LANES.map(({ name }) => name)).toEqual(['held', 'allowed', 'waits', 'let go', 'failed']);
  });
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
