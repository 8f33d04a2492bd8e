import { describe, expect, it } from 'vitest';
import { inOrder, meant, problemLines } from './problems.ts';

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

describe('what a word may have been meant to be', () => {
  it.each([
    ['leav', 'a letter is missing at the end'],
    ['eave', 'at the beginning'],
    ['lave', 'in the middle'],
    ['leaves', 'a letter is too much at the end'],
    ['xleave', 'at the beginning'],
    ['leaave', 'in the middle'],
    ['leake', 'a letter is another'],
    ['xeave', 'the first one is'],
    ['leavx', 'the last one is'],
    ['elave', 'two are swapped at the beginning'],
    ['leaev', 'at the end'],
    ['laeve', 'in the middle'],
    ['LEAVE', 'it is written large'],
    ['Laeve', 'both'],
  ])('%s: %s', (word) => {
    expect(meant(word, ['say', 'leave'])).toBe(' (did you mean "leave"?)');
  });

  it.each(['leaving', 'le', 'lx', 'xxave', 'levea', 'aevel', 'lxavx', 'lvaee', 'elvae', 'elavx', '', 'l'])(
    'is not known of %j',
    (word) => {
      expect(meant(word, ['say', 'leave'])).toBe('');
    },
  );

  it('is the first that is near, as it is written', () => {
    expect(meant('tost', ['Test', 'toast'])).toBe(' (did you mean "Test"?)');
    expect(meant('ab', ['a', 'b'])).toBe(' (did you mean "a"?)');
    expect(meant('a', ['b', 'ab'])).toBe('');
    expect(meant('word', [])).toBe('');
  });
});
