import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { isObject, parseJson } from './json.ts';

describe('parsing JSON', () => {
  it('gives the value, null included', () => {
    expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
    expect(parseJson('null')).toBeNull();
  });

  test.each(['', ' ', '{', '{"a":1}x', "{'a':1}", 'undefined', 'NaN', '\ufeff{}', '{"a":1,}'])(
    'gives undefined for what is none: %j',
    (text) => {
      expect(parseJson(text)).toBeUndefined();
    },
  );

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseJson(text)));
    expect(parseJson('['.repeat(1_000_000))).toBeUndefined();
  });

  it('changes nothing but the value it gives, whatever the keys', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}');

    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});

describe('an object', () => {
  test.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [1, false],
    [() => 1, false],
  ])('%j: %s', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});
