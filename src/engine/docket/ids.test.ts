import { expect, it } from 'vitest';
import { byWeight, nextNumber, numberOf, readSeverity } from './ids.ts';

it.each([
  ['F1', 1],
  ['f12', 12],
  [' F3 ', 3],
  ['F123456789', 123456789],
  ['F1234567890', null],
  ['F0', null],
  ['F01', null],
  ['F', null],
  ['G1', null],
  ['xF1', null],
  ['F1x', null],
  [7, null],
  [null, null],
])('the number in %j is %s', (id, number) => {
  expect(numberOf(id)).toBe(number);
});

it.each([
  ['high', 'high'],
  [' Medium ', 'medium'],
  ['LOW', 'low'],
  ['severe', null],
  ['', null],
  [1, null],
])('%j is the severity %s', (value, severity) => {
  expect(readSeverity(value)).toBe(severity);
});

it('the next number is the first one that nobody has', () => {
  expect(nextNumber(3, new Set())).toBe(4);
  expect(nextNumber(3, new Set(['F3', 'F4', 'F5', 'F7']))).toBe(6);
});

it('the worst comes first, and of the same weight what was found first', () => {
  const found = (id: string, severity: 'high' | 'medium' | 'low') => ({ id, severity });
  const all = [
    ...[found('F10', 'high'), found('F1', 'low'), found('F3', 'medium'), found('x', 'low')],
    ...[found('F2', 'high'), found('F9', 'high')],
  ];
  expect(all.sort(byWeight).map(({ id }) => id)).toEqual(['F2', 'F9', 'F10', 'F3', 'x', 'F1']);
});
