import { expect, it } from 'vitest';
import { innermostObjects } from './innermost.ts';

it.each([
  ['{}', ['{}']],
  ['{"a":{"b":1}}', ['{"b":1}']],
  ['a{b}c{d}', ['{b}', '{d}']],
  ['{{}', ['{}']],
  ['}{', []],
  ['{"}"}', ['{"}"}']],
  ['{"\\"}"}', ['{"\\"}"}']],
  ['{"\\\\"}', ['{"\\\\"}']],
  ['{"a"b"}', []],
  // As if the first quote were one too many.
  ['"{"a"}"}', ['{"a"}']],
  ['\\{"x\\y":"}"}', ['{"x\\y":"}"}']],
])('in %j', (text, objects) => {
  expect(innermostObjects(text)).toEqual(objects);
});
