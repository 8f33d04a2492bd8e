import { expect, it } from 'vitest';
import { duration, inWords, listOf, shown } from './in-words.ts';

it.each([
  [[], 3, ''],
  [['a'], 3, 'a'],
  [['a', 'b'], 3, 'a and b'],
  [['a', 'b', 'c'], 3, 'a, b and c'],
  [['a', 'b', 'c', 'd'], 3, 'a, b, c and 1 more'],
  [['a', 'b', 'c', 'd', 'e'], 3, 'a, b, c and 2 more'],
  [['a', 'b'], 1, 'a and 1 more'],
  [['a', 'b'], 0, '2 more'],
])('%j with at most %s named is a list in a sentence: %s', (parts, most, text) => {
  expect(inWords(parts, most)).toBe(text);
});

it.each([
  [[], 2, ''],
  [['a'], 2, '- a'],
  [['a', 'b'], 2, '- a\n- b'],
  [['a', 'b', 'c'], 2, '- a\n- b\n- and 1 more'],
  [['a', 'b', 'c', 'd'], 2, '- a\n- b\n- and 2 more'],
])('%j with at most %s is a list of lines', (parts, most, text) => {
  expect(listOf(parts, most)).toBe(text);
});

it.each([
  ['plain', 'plain'],
  ['a\t b\n\nc', 'a b c'],
  ['a\u001b[31mb', 'a [31mb'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  [`${'\u0001'.repeat(119)}ab`, ' a'],
])('%j is shown on one line, at most 60 characters long', (text, line) => {
  expect(shown(text)).toBe(line);
});

it('is shown as long as one says', () => {
  expect([shown('abcd', 4), shown('abcde', 4), shown('\u0001'.repeat(8).concat('a'), 4)]).toEqual([
    ...['abcd', 'abc…', ' '],
  ]);
});

it.each([
  [0, '0.1 s'],
  [49, '0.1 s'],
  [149, '0.1 s'],
  [400, '0.4 s'],
  [1000, '1 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [12_499, '12 s'],
  [119_499, '119 s'],
  [119_500, '2 min'],
  [120_499, '2 min'],
  [120_500, '2 min 1 s'],
  [200_000, '3 min 20 s'],
  [3_600_000, '60 min'],
])('%s milliseconds are %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});
