import { expect, it } from 'vitest';
import { ulid } from './ulid.ts';

it.each([
  [0, '0000000000'],
  [31, '000000000Z'],
  [32, '0000000010'],
  [1_469_918_176_385, '01ARYZ6S41'],
  [2 ** 48 - 1, '7ZZZZZZZZZ'],
])('an id of the millisecond %i begins with %s', (now, time) => {
  expect(ulid(now).slice(0, 10)).toBe(time);
  expect(ulid(now)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
});

it('an id ends by chance, from the first digit to the last', () => {
  const random = Math.random;
  try {
    Math.random = () => 0;
    expect(ulid(0)).toBe('0'.repeat(26));
    Math.random = () => 1 - Number.EPSILON;
    expect(ulid(0)).toBe(`${'0'.repeat(10)}${'Z'.repeat(16)}`);
  } finally {
    Math.random = random;
  }
});
