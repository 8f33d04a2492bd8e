import { expect, it } from 'vitest';
import { below } from './paths.ts';

it.each([
  ['/a/b', 'c', '/a/b/c'],
  ['/a/b/', 'c', '/a/b/c'],
  ['/', 'c', '/c'],
  ['/a', 'b/c.md', '/a/b/c.md'],
])('below %s, %s is %s', (folder, name, place) => {
  expect(below(folder, name)).toBe(place);
});
