import { describe, expect, it } from 'vitest';
import { COMPLETE } from '../../test/fixtures/idle/corpus.ts';
import { hiddenInMarkdown } from './signals-markdown.ts';
import { scanHidden } from './signals-scan.ts';

describe('what the parser hides', () => {
  it.each([
    ['a comment, to its end and no further', '<!-- a -->\nb', [{ start: 0, end: 10 }]],
    ['a comment that nobody closes, to the end of its block', '<!-- a\nb', [{ start: 0, end: 8 }]],
    ['a comment whose dashes serve both ends', '<!-->\nb', [{ start: 0, end: 5 }]],
    [
      'such a comment in a block, without what comes after',
      '<div>\n<!-->\nb\n-->\n</div>',
      [{ start: 6, end: 11 }],
    ],
    ['a comment of three dashes', '<!--->\nb', [{ start: 0, end: 6 }]],
    [
      'two comments in a block, without what is between them',
      '<div>\n<!-- a -->\nb\n<!-- c -->\n</div>',
      [
        { start: 6, end: 16 },
        { start: 19, end: 29 },
      ],
    ],
    ['no comment that begins in code', '`<!--` a\nb', [{ start: 0, end: 6 }]],
    ['no comment that is escaped', '\\<!-- a -->\nb', []],
    ['no other HTML', '<div>\nb\n</div>', []],
  ])('%s', (_, text, ranges) => {
    expect(hiddenInMarkdown(text)).toEqual(ranges);
  });

  // A backtick in a link's title would be the link's, and the code span around the signal would be none.
  it.each([
    ['a link', `[x](/u "\``, `")\n${COMPLETE}\n\``],
    ['an image', `![x](/u "\``, `")\n${COMPLETE}\n\``],
    ['a definition', `[x]: /u "\``, `"\n${COMPLETE}\n\``],
  ])('%s is text to it, as it is to the scanner', (_, before, after) => {
    const span = { start: before.length - 1, end: before.length + after.length };
    expect(hiddenInMarkdown(before + after)).toEqual([span]);
    expect(scanHidden(before + after)).toEqual([span]);
  });
});
