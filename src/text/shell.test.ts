import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { shellQuote } from './shell.ts';

/** What a shell makes of a line: its words. */
function words(line: string): string[] {
  const output = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('a word quoted for a shell', () => {
  test.each(['/usr/local/bin/holdfast', 'toy:a_b-1', 'a=b', 'user@host', '100%', '+x', '.'])(
    'stays as it is when nothing in it means anything: %s',
    (word) => {
      expect(shellQuote(word)).toBe(word);
    },
  );

  test.each([
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", "'it'\\''s'"],
    ['~', "'~'"],
  ])('%j becomes %s', (word, quoted) => {
    expect(shellQuote(word)).toBe(quoted);
  });

  test.each([
    '',
    ' ',
    "'",
    "''",
    '"',
    '$HOME',
    '$(id)',
    '`id`',
    '\\',
    'a\nb',
    '*',
    '~',
    '!x',
    ';id',
    '&',
    '#x',
    'é',
    '-rf',
    '{a,b}',
  ])('is read back by a real shell as that very word: %j', (word) => {
    expect(words(shellQuote(word))).toEqual([word]);
  });

  it('is read back as that very word, whatever is in it', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (list) => {
        expect(words(list.map(shellQuote).join(' '))).toEqual(list);
      }),
      { numRuns: 50 },
    );
  });
});
