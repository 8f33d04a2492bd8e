// The reviewers of a flow as its text has them, and what is said of those that are wrong.

import { describe, expect, it } from 'vitest';
import type { ReviewDefinition } from '../types.ts';
import { readYaml } from './read-yaml.ts';
import { Reader } from './reader.ts';
import { readReviews } from './reviews.ts';

/** What `reviews: …` is read as, and what is said of it with its place. */
function read(text: string): [Record<string, ReviewDefinition>, ...string[]] {
  const tree = readYaml(`reviews: ${text}`);
  if (!('kind' in tree) || tree.kind !== 'table') throw new Error('no table');
  const reader = new Reader();
  const found = readReviews(tree.entries[0], reader);
  return [found, ...reader.problems.map(({ place, what }) => `${place.line}:${place.column} ${what}`)];
}

describe('the reviews of a flow', () => {
  it('are none where it has none', () => {
    const reader = new Reader();
    expect(readReviews(undefined, reader)).toEqual({});
    expect(reader.problems).toEqual([]);
    expect(read('{}')).toEqual([{}]);
  });

  const cases: [string, Record<string, ReviewDefinition>, ...string[]][] = [
    ['{ r: { prompt: Look } }', { r: { prompt: 'Look', files: ['**'] } }],
    ['{ r: { prompt: "At {{task}}", files: a } }', { r: { prompt: 'At {{task}}', files: ['a'] } }],
    [
      '{ r: { prompt: Look, files: [a, b/**] }, other: { prompt: See } }',
      { r: { prompt: 'Look', files: ['a', 'b/**'] }, other: { prompt: 'See', files: ['**'] } },
    ],
    ['[r]', {}, '1:10 `reviews` is a table with keys'],
    [
      '{ r: Look, s: { prompt: See } }',
      { s: { prompt: 'See', files: ['**'] } },
      '1:15 a review is a table with keys',
    ],
    ['{ r: { files: a } }', {}, '1:15 a review has no `prompt`'],
    ['{ r: { prompt: 3 } }', {}, '1:25 `prompt` is a text'],
    [
      '{ r: { prompt: " " }, s: { prompt: See } }',
      { s: { prompt: 'See', files: ['**'] } },
      '1:25 `prompt` is empty',
    ],
    [
      '{ r: { prompt: Look, file: a } }',
      { r: { prompt: 'Look', files: ['**'] } },
      '1:31 a review has no key "file" (did you mean "files"?); it has: prompt, files',
    ],
    ['{ r: { prompt: Look, files: [] } }', { r: { prompt: 'Look', files: ['**'] } }, '1:38 `files` is empty'],
    [
      '{ r: { prompt: Look, files: [a, 3] } }',
      { r: { prompt: 'Look', files: ['a'] } },
      '1:42 `files` is a text',
    ],
    [
      '{ r: { prompt: Look, files: [a, ../b] } }',
      { r: { prompt: 'Look', files: ['a', '../b'] } },
      '1:42 "../b" leads out of the project: write it relative to the project, without ".."',
    ],
    [
      '{ R: { prompt: Look } }',
      { R: { prompt: 'Look', files: ['**'] } },
      '1:12 a review is called by small letters, digits and "-", beginning with a letter, not "R"',
    ],
    [
      '{ r: { prompt: "{{task}} {{visits}} {{x}}" } }',
      { r: { prompt: '{{task}} {{visits}} {{x}}', files: ['**'] } },
      "1:25 a reviewer's prompt has the slot {{task}} alone, not {{visits}}",
      "1:25 a reviewer's prompt has the slot {{task}} alone, not {{x}}",
    ],
  ];
  it.each(cases)('are read from %s', (text, found, ...problems) => {
    expect(read(text)).toEqual([found, ...problems]);
  });
});
