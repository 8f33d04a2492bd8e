import { describe, expect, it } from 'vitest';
import { findingOf } from './review-item.ts';

const read = (text: string, details: string[] = []) => findingOf({ severity: 'low', text, details });

describe('a finding’s place', () => {
  it.each([
    ['src/a.ts:12: x', 'src/a.ts', 12],
    ['src/a.ts:12-14: x', 'src/a.ts', 12],
    ['src/a.ts:12:4: x', 'src/a.ts', 12],
    ['src/a.ts:12–14: x', 'src/a.ts', 12],
    ['a.ts:1234567: x', 'a.ts', 1234567],
    ['`src/a.ts:12`: x', 'src/a.ts', 12],
    ['[src/a.ts] : x', 'src/a.ts', null],
    ['(a.ts): x', 'a.ts', null],
    ['a.ts - x', 'a.ts', null],
    ['a.ts – x', 'a.ts', null],
    ['a.ts — x', 'a.ts', null],
    ['a.ts:   x', 'a.ts', null],
    ['1. a.ts: x', 'a.ts', null],
    ['**a.ts**: x', 'a.ts', null],
    ['@scope/a+b.test.ts: x', '@scope/a+b.test.ts', null],
    ['../a.ts: x', '../a.ts', null],
    ['a.abcdefghij: x', 'a.abcdefghij', null],
  ])('stands in front of it: %j', (text, file, line) => {
    expect(read(text)).toEqual({ severity: 'low', file, line, claim: 'x', evidence: null });
  });

  it.each([
    ...['a.ts-x', 'a.ts:x', 'see a.ts: x', '/src/a.ts: x', 'a.toolongextension: x', 'a.1: x', 'Makefile: x'],
    ...['a.ts:', 'a.ts x', 'a.ts:12345678: x'],
  ])('is not to be had from %j', (text) => {
    expect(read(text)).toEqual({ severity: 'low', file: null, line: null, claim: text, evidence: null });
  });
});

it.each([
  ['12) x', 'x'],
  ['123: x', 'x'],
  ['1. 2. — x', 'x'],
  ['1234. x', '1234. x'],
  ['**bold** x', 'bold x'],
  ['__a__ x', 'a x'],
  ['x ##', 'x'],
  ['x #  ', 'x'],
  ['x#', 'x#'],
  ['x # y', 'x # y'],
  ['— x', 'x'],
  ['– x', 'x'],
  [': x', 'x'],
  ['] x', 'x'],
  [') x', 'x'],
  ['- x', 'x'],
  ['-x', '-x'],
  ['  x  ', 'x'],
])('a claim is without its marks: %j is %j', (text, claim) => {
  expect(read(text).claim).toBe(claim);
});

it('what stands below a finding is its evidence, in one line', () => {
  expect(read('x', ['  a ', 'b']).evidence).toBe('a b');
  expect(read('x', [' ']).evidence).toBeNull();
});
