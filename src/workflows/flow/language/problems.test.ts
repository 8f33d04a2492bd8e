import { describe, expect, it } from 'vitest';
import { inOrder, problemLines } from './problems.ts';

describe('a problem', () => {
  it('is one line with its place, and the way to it below', () => {
    const problem = { place: { line: 12, column: 9 }, what: 'this is wrong' };
    expect(problemLines('a.yaml', problem)).toEqual(['a.yaml:12:9: this is wrong.']);
    expect(problemLines('a.yaml', { ...problem, way: ['start', 'stop'] })).toEqual([
      'a.yaml:12:9: this is wrong.',
      '  1. start',
      '  2. stop',
    ]);
  });

  it('comes in the order of the text, by line and then by column', () => {
    const at = (line: number, column: number) => ({ place: { line, column }, what: `${line}:${column}` });
    const given = [at(3, 1), at(1, 9), at(2, 5), at(1, 2), at(2, 4)];
    expect(inOrder(given).map(({ what }) => what)).toEqual(['1:2', '1:9', '2:4', '2:5', '3:1']);
    expect(given[0]?.what).toBe('3:1');
  });
});
