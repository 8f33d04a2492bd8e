import { expect, it } from 'vitest';
import { messageOf } from './message-of.ts';

it.each([
  [new Error('it broke'), 'it broke'],
  [new TypeError(''), ''],
  ['a text', 'a text'],
  [7, '7'],
  [null, 'null'],
  [undefined, 'undefined'],
])('%s is said as "%s"', (thrown, words) => {
  expect(messageOf(thrown)).toBe(words);
});
