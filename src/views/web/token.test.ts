import { expect, it } from 'vitest';
import { isSame, newToken } from './token.ts';

it('each start has a token of its own, and it is not short', () => {
  const [one, other] = [newToken(), newToken()];
  expect(one).not.toBe(other);
  for (const token of [one, other]) expect(token).toMatch(/^[\w-]{43}$/);
});

it.each([
  ['abc', true],
  ['abd', false],
  ['xbc', false],
  ['ab', false],
  ['abcd', false],
  // As many characters, but more bytes.
  ['abé', false],
  ['', false],
  [undefined, false],
])('what is given is the secret: %j, %s', (given, same) => {
  expect(isSame(given, 'abc')).toBe(same);
});
