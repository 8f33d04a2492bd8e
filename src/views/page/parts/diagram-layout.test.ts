import { expect, test } from 'vitest';
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
