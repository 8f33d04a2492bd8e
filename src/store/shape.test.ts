import { describe, expect, it } from 'vitest';
import {
  type Check,
  hasShape,
  isAmount,
  isCount,
  isDate,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isTableOf,
  isText,
  isTime,
  orNull,
} from './shape.ts';

const MOST = Number.MAX_SAFE_INTEGER;

describe('a value', () => {
  it.each<[string, Check<unknown>, readonly unknown[], readonly unknown[]]>([
    ['text', isText, ['', 'a'], [1, null, undefined, ['a']]],
    ['a number', isNumber, [0, -1.5, 1e300], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
    ['an amount', isAmount, [0, 0.5, MOST], [-0.1, MOST * 2, Number.NaN, '1', null]],
    ['a time', isTime, [0, 0.5, MOST], [-1, MOST * 2, Number.NaN, '1', null]],
    ['a date', isDate, [0, 8.64e15], [-1, 8.64e15 + 1, '1']],
    ['a flag', isFlag, [true, false], [0, 'true', null]],
    ['a count', isCount, [0, 1, MOST], [-1, 0.5, MOST + 1, '1', null, Number.NaN]],
    ['one of some', isOneOf<unknown>('a', 1, null), ['a', 1, null], ['b', '1', undefined]],
    ['text or null', orNull(isText), ['', null], [undefined, 1]],
    ['a list', isListOf(isCount), [[], [1, 2]], [[1, 'a'], { length: 0 }, null, '']],
    ['a table', isTableOf(isCount), [{}, { a: 1, constructor: 2 }], [{ a: 'b' }, [], null, 'a']],
  ])('is %s or is not', (_, check, good, bad) => {
    expect(good.map((value) => check(value))).toEqual(good.map(() => true));
    expect(bad.map((value) => check(value))).toEqual(bad.map(() => false));
  });
});

describe('a shape', () => {
  const isPair = hasShape<{ a: string; b: number | null }>({ a: isText, b: orNull(isCount) });
  it.each<[unknown, boolean]>([
    [{ a: '', b: 1 }, true],
    [{ a: '', b: null, more: 5 }, true],
    [{ a: '' }, false],
    [{ a: 1, b: 1 }, false],
    [[], false],
    [null, false],
    ['a', false],
  ])('%j: %s', (value, fits) => {
    expect(isPair(value)).toBe(fits);
  });
});
