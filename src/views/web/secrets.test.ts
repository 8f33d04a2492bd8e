import { expect, it } from 'vitest';
import { isSame, newSecrets } from './secrets.ts';

it('the three secrets differ from each other and from those of another start, and none is short', () => {
  const all = [newSecrets(), newSecrets()].flatMap(({ address, cookie, action }) => [
    address,
    cookie,
    action,
  ]);
  expect(new Set(all).size).toBe(6);
  for (const secret of all) expect(secret).toMatch(/^[\w-]{43}$/);
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
