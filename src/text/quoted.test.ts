import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fc } from '../../test/support/property.ts';
import { printable } from './printable.ts';
import { quoted, quotedUnlessPlain, shownWord } from './quoted.ts';

/** What a shell makes of a word, byte by byte. */
const read = (word: string): Buffer => execFileSync('/bin/sh', ['-c', `printf '%s' ${word}`]);

const ODD = [
  'my plan',
  "it's",
  '-a`b',
  'a\u202eb',
  'soft\u00adhyphen',
  'a\u200bb',
  '100%\u0085\\',
  '\u{e0067}',
  'über',
  '\n',
];

describe('a name that is shown', () => {
  it.each(ODD)('is read back from JSON, with nothing in it that is not seen: %j', (name) => {
    expect(JSON.parse(quoted(name))).toBe(name);
    expect(printable(quoted(name))).toBe(quoted(name));
  });

  it('stands as it is where it is a plain word', () => {
    expect(['taskie:my-plan', 'a.b', 'a b', 'é', ''].map(quotedUnlessPlain)).toEqual([
      ...['taskie:my-plan', 'a.b', '"a b"', '"é"', '""'],
    ]);
  });
});

describe('a word of a command that is shown', () => {
  it.each(['my-plan', '/a/b.md', '-x', 'taskie:p'])(
    'stands as it is where it means nothing else: %s',
    (word) => {
      expect(shownWord(word)).toBe(word);
    },
  );

  it.each(ODD.slice(0, -1))(
    'is that very word to a shell, with nothing in it that is not seen: %j',
    (word) => {
      expect(read(shownWord(word)).toString()).toBe(word);
      expect(printable(shownWord(word))).toBe(shownWord(word));
      expect(shownWord(word)).not.toContain('`');
    },
  );

  it('may be any bytes, and of a folder whose name ends a line', () => {
    const bytes = Buffer.from([0x2f, 0xff, 0x25, 0x0a, 0x27]);
    expect(read(shownWord(bytes))).toEqual(bytes);
    expect(read(shownWord('/a\u202e\n')).toString()).toBe('/a\u202e\n/');
  });

  it('is that very word, whatever is in it', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/\0|\n$/.test(text));
    fc.assert(
      fc.property(word, (text) => {
        expect(read(shownWord(text)).toString()).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});
