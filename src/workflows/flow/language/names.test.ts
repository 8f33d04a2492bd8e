// Names, slots and patterns, each at its bounds.

import { describe, expect, it } from 'vitest';
import { isName, isSlot, LONGEST, SLOTS, slotsIn, whyNoPattern } from './names.ts';

describe('a name', () => {
  it.each(['a', 'z9', 'a-b-', `a${'0'.repeat(39)}`])('is %s', (name) => {
    expect(isName(name)).toBe(true);
  });

  it.each(['', '1a', '-a', 'A', 'aB', 'a_b', 'a b', 'a\n', 'ä', `a${'0'.repeat(40)}`])(
    'is not %j',
    (name) => {
      expect(isName(name)).toBe(false);
    },
  );
});

describe('the slots of a text', () => {
  it('are all that stands in two braces on one line', () => {
    expect(slotsIn('a {{task}} b {{ x }}{{}} {c} {{d\n}} {{{e}}}')).toEqual(['task', ' x ', '', 'e']);
    expect(slotsIn('none')).toEqual([]);
  });

  it('are five', () => {
    expect(SLOTS).toEqual(['task', 'visits', 'holds', 'checks', 'findings']);
    expect(SLOTS.every(isSlot)).toBe(true);
    expect(['Task', ' task', '', 'constructor'].some(isSlot)).toBe(false);
  });
});

describe('a pattern of files', () => {
  it.each([
    'a',
    '**',
    'a/b.txt',
    './a',
    '..a/b..',
    '{a,b}/c',
    'a:b',
    'ab:/c',
    '.github/a',
    '.gitignore',
    'a/.git/b',
    '.holdfast.json',
    'a'.repeat(200),
  ])('is %s', (glob) => {
    expect(whyNoPattern(glob)).toBe(null);
  });

  const leads = (glob: string): string =>
    `"${glob}" leads out of the project: write it relative to the project, without ".."`;
  const none = (glob: string): string => `"${glob}" is no content of the project`;
  const wrong: [string, string][] = [
    ['', 'a pattern of files is missing'],
    [' ', 'a pattern of files is missing'],
    ['a'.repeat(201), 'a pattern of files is at most 200 letters long'],
    ['a\0b', 'a pattern of files has no such letter'],
    ...[
      '/a',
      '~/a',
      '\\a',
      'C:/a',
      'c:\\a',
      '..',
      '../a',
      'a/..',
      'a/../b',
      '{..,a}/b',
      '{a,..}',
      'a\\..',
    ].map((glob): [string, string] => [glob, leads(glob)]),
    ...['.git', '.git/a', './.git', '././.git/a', '.holdfast', '.holdfast/**'].map(
      (glob): [string, string] => [glob, none(glob)],
    ),
  ];
  it.each(wrong)('is not %j', (glob, why) => {
    expect(whyNoPattern(glob)).toBe(why);
  });
});

describe('a file of a flow', () => {
  it('has 64 kB at most', () => {
    expect(LONGEST).toBe(65_536);
  });
});
