import { expect, it } from 'vitest';
import { indentOf, labelOfRow, readLines, titleOf } from './review-lines.ts';

it.each([
  ['# a', ' a', 1],
  ['   ### a ##', ' a ##', 3],
  ['####### a', '# a', 6],
  ['#a', 'a', 1],
])('%j is a heading', (line, text, level) => {
  expect(titleOf(line)).toEqual({ text, level, isHeading: true });
});

it.each([
  ['**a b**', '**a b**'],
  ['**a**:', '**a**:'],
  ['__a__', '__a__'],
  ['__a__:', '__a__:'],
  ['word', 'word'],
  ['word:', 'word:'],
  ['- word', 'word'],
  ['* **a b**', '**a b**'],
  ['+ word', 'word'],
  ['  word  ', 'word'],
])('%j may stand for a heading', (line, text) => {
  expect(titleOf(line)).toEqual({ text, level: 7, isHeading: false });
});

it.each(['    # a', 'two words', '-word', '**a** b', 'a **b**', ''])('%j is no title', (line) => {
  expect(titleOf(line)).toBeNull();
});

it.each([
  ['a', 0],
  [' a', 1],
  ['\ta', 4],
  [' \t a', 6],
  ['a  b', 0],
  ['', 0],
])('%j stands in by %d', (line, indent) => {
  expect(indentOf(line)).toBe(indent);
});

it.each([
  ['| High | a |', '', 'high', 'a'],
  ['High | a', '', 'high', 'a'],
  [' | Low |  a  | | b | ', '', 'low', 'a | b'],
  ['| High | 2 | a |', '', 'high', '2 | a'],
  // What stands below it is no line under a table's head.
  ['| High | a |', '| : | : |', 'high', 'a'],
  ['| High | a |', '|---|--- x', 'high', 'a'],
  ['| High | a |', 'x |---|', 'high', 'a'],
])('the row %j above %j is a finding', (line, next, severity, rest) => {
  expect(labelOfRow(line, next)).toEqual({ severity, rest });
});

it.each([
  ['| High | a |', '|---|---|'],
  ['| High | a |', '| :-: | - |'],
  ['| High | a |', '  |---|'],
  ['| High | 2 |', ''],
  ['| High | none | 3 findings |', ''],
  ['| High |', ''],
  ['| a | High |', ''],
])('the row %j above %j is none', (line, next) => {
  expect(labelOfRow(line, next)).toBeNull();
});

it.each([
  ['a\r\nb\rc\nd', ['a', 'b', 'c', 'd']],
  ['a\n```\nb\n```\nc', ['a', 'c']],
  ['~~~~\na\n~~~\nb\n~~~~~\nc', ['c']],
  ['```\na\n~~~\nb\n```\nc', ['c']],
  ['   ```js\na\n   ```\nb', ['b']],
  ['    ```\na', ['    ```', 'a']],
  ['``\na', ['``', 'a']],
  ['x ```\na', ['x ```', 'a']],
  ['```\na', []],
])('of %j only what is outside of code is read', (text, lines) => {
  expect(readLines(text)).toEqual(lines);
});
