import { expect, it } from 'vitest';
import type { Trouble } from '../headless.ts';
import { lastLineOf, ofStatus, troubleOf, unknownTrouble } from './trouble.ts';

it('trouble is said in one short line', () => {
  expect(troubleOf('limit', ' a\n b ', 5)).toEqual({ what: 'limit', resetsAt: 5, said: 'a b' });
  expect(unknownTrouble('x')).toEqual({ what: 'unknown', resetsAt: null, said: 'x' });
  const said = (text: string): string => unknownTrouble(text).said;
  expect(said('x'.repeat(300))).toBe('x'.repeat(300));
  expect(said('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
  expect(said(`${' '.repeat(3999)}ab`)).toBe('a');
});

it.each<[number, Trouble['what']]>([
  [400, 'refused'],
  [401, 'login'],
  [402, 'billing'],
  [403, 'login'],
  [404, 'refused'],
  [429, 'limit'],
  [499, 'refused'],
  [500, 'server'],
  [529, 'server'],
])('the status %s is %s', (status, what) => {
  expect(ofStatus(status)).toBe(what);
});

it.each([
  ['', ''],
  [' \n\t\n', ''],
  ['a', 'a'],
  ['a\n  b c \n \n', 'b c'],
])('the last line of %j is %j', (text, line) => {
  expect(lastLineOf(text)).toBe(line);
});
