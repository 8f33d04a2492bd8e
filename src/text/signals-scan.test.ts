import { describe, expect, it } from 'vitest';
import { hiddenInParagraph } from './signals-inline.ts';
import { scanHidden } from './signals-scan.ts';

/** What is hidden, as text. */
const hidden = (text: string): string[] => scanHidden(text).map(({ start, end }) => text.slice(start, end));
const inline = (text: string): string[] =>
  hiddenInParagraph(text, [{ start: 0, end: text.length }]).map(({ start, end }) => text.slice(start, end));

describe('what is hidden in a paragraph', () => {
  it.each([
    ['nothing', 'a b', []],
    ['a span of code', 'a `b` c', ['`b`']],
    ['a span of two, with one in it', '``a`b`` c', ['``a`b``']],
    ['no span without its end', 'a `b c', []],
    ['no span that ends in more', '`a``', []],
    ['two spans', '`a` `b`', ['`a`', '`b`']],
    ['none after an escaped backtick', '\\`a`', []],
    ['one that begins with what is left after an escaped one', '\\``a`', ['``a`']],
    ['one that ends with an escaped backtick', '`a\\`', ['`a\\`']],
    ['one after an escaped backslash', '\\\\`a`', ['`a`']],
    ['two that end with escaped ones', '``a\\``', ['``a\\``']],
    ['a comment', 'a <!-- b --> c', ['<!-- b -->']],
    ['a comment whose dashes serve both ends', '<!--> a -->', ['<!-->']],
    ['no comment without its end', '<!-- a', []],
    ['no comment that is escaped', '\\<!-- a -->', []],
    ['no end without a comment', 'a -->', []],
    ['code in a comment as the comment', '<!-- `a --> b`', ['<!-- `a -->']],
    ['a comment in code as the code', '`<!-- a` -->', ['`<!-- a`']],
    ['comments one after the other', '<!--a--><!--b-->', ['<!--a-->', '<!--b-->']],
  ])('%s', (_, text, parts) => {
    expect(inline(text)).toEqual(parts);
  });

  it('reaches over its lines, without what stands between them', () => {
    const text = 'x `a\n> b` c';
    const lines = [
      { start: 0, end: 4 },
      { start: 7, end: text.length },
    ];
    expect(hiddenInParagraph(text, lines)).toEqual([{ start: 2, end: 9 }]);
  });
});

describe('what the scanner hides', () => {
  it.each<[string, string, string[]]>([
    ['a fence and what is in it', 'a\n```\nb\n```\nc', ['```', 'b', '```']],
    ['a fence with line ends of any kind', '```\r\nb\r```\nc', ['```', 'b', '```']],
    ['a fence of tildes, whatever follows', '~~~ a`b`\nc\n~~~', ['~~~ a`b`', 'c', '~~~']],
    ['no fence with a backtick after it', '``` a`b\nc', []],
    ['a fence up to one as long', '````\n```\n````\na', ['````', '```', '````']],
    ['a fence up to a longer one', '```\n`````\na', ['```', '`````']],
    ['a fence past one of another kind', '```\n~~~\n```', ['```', '~~~', '```']],
    ['a fence past one with a word', '```\n``` js\n```', ['```', '``` js', '```']],
    ['a fence up to one with blanks after it', '```\n``` \t\na', ['```', '``` \t']],
    ['a fence past one that stands too far in', '```\n    ```\na', ['```', '    ```', 'a']],
    ['a fence up to one that stands three in', '```\n   ```\na', ['```', '   ```']],
    ['no fence that stands too far in', '    ```\na', []],
    ['a fence that nobody closes', '```\na', ['```', 'a']],
    ['a fence as long as its quote', '> ```\n> a\nb', ['> ```', '> a']],
    ['a fence as long as its item', '- ```\n  a\nb', ['- ```', '  a']],
    ['a comment as long as its quote', '> <!--\n> a\nb', ['> <!--', '> a']],
    ['a comment over lines', '<!--\na\n--> b\nc', ['<!--', 'a', '--> b']],
    ['a comment on one line', '<!-- a --> b\nc', ['<!-- a --> b']],
    ['a comment whose dashes serve both ends', '<!-->\na', ['<!-->']],
    ['code in a heading, which ends there', '# `a\nb`', []],
    ['code in a heading', '# a `b`\nc', ['`b`']],
    ['code in six, not in seven marks', '###### `a`\n####### `b\nc`', ['`a`', '`b\nc`']],
    ['no code over a blank line', '`a\n\nb`', []],
    ['code over lines', '`a\nb`', ['`a\nb`']],
    ['no code over a rule', '`a\n***\nb`', []],
    ['no code over an underline', '`a\n===\nb`', []],
    ['no code over an underline of dashes', '`a\n--\nb`', []],
    ['code over a line that only begins like an underline', '`a\n== b`', ['`a\n== b`']],
    ['code over what is underlined nowhere', '===\n`a`', ['`a`']],
    ['no code over the begin of a list', '`a\n- b`', []],
    ['code over a bare mark of a list', '`a\n+\nb`', ['`a\n+\nb`']],
    ['no code over a list that begins with one', '`a\n1. b`', []],
    ['code over a number that is not one', '`a\n2. b`', ['`a\n2. b`']],
    ['code over a number without its blank', '`a\n1.b`', ['`a\n1.b`']],
    ['code over a number that is too long', '`a\n1234567890. b`', ['`a\n1234567890. b`']],
    ['no code over the begin of a quote', '`a\n> b`', []],
    ['code in a quote that goes on without its mark', '> `a\nb`', ['`a\nb`']],
    ['no code in a quote over a rule without its mark', '> `a\n---\nb`', []],
    ['code in a quote over what would be an underline', '> `a\n===\nb`', ['`a\n===\nb`']],
    ['code over a line that stands too far in', '`a\n    b`', ['`a\n    b`']],
    ['no code that stands too far in', '    `a`\n\n\t`b`', []],
    ['code in an item', '- a\n\n  `b`', ['`b`']],
    ['code in an item that stands as far in as its text', '-   a\n\n        `b`\n\n    `c`', ['`c`']],
    ['code in an item whose text is code', '-     a\n\n  `b`', ['`b`']],
    ['code four blanks after the mark of an item', '-    `a`', ['`a`']],
    ['no code five blanks after it, which is code already', '-     `a`', []],
    ['code three blanks into a quote, one of which is its own', '>    `a`', ['`a`']],
    ['no code further in', '>     `a`', []],
    ['code after a bare item that a blank line ends', '-\n\n  `b`', ['`b`']],
    ['code in a bare item', '-\n  `b`', ['`b`']],
    ['code in items in items', '1. - `a`\n     `b`', ['`a`', '`b`']],
    ['a fence in a quote in an item', '- > ```\n  > a\n  b', ['- > ```', '  > a']],
    ['a fence with a word after it', '```js\na\n```', ['```js', 'a', '```']],
    ['no fence of one tilde', '~\na', []],
    ['no fence in an item that stands too far in', '    - ```\na', []],
    ['a fence up to a mark of its quote that stands too far in', '> ```\n    > a', ['> ```']],
    ['a fence in an item in a quote', '> - ```\n>   a\n> b', ['> - ```', '>   a']],
    ['a fence that ends a quote, to its own end', '> a\n```\nb', ['```', 'b']],
    ['code over a lonely underscore', '`a\n_\nb`', ['`a\n_\nb`']],
    ['no code over a rule of underscores', '`a\n_ _ _\nb`', []],
  ])('%s', (_, text, parts) => {
    expect(hidden(text)).toEqual(parts);
  });

  it('knows sixty-four quotes within each other, and takes a deeper one for text', () => {
    const fence = (depth: number): string => `${'>'.repeat(depth)}\`\`\`\na`;
    expect(hidden(fence(64))).toEqual([`${'>'.repeat(64)}\`\`\``]);
    expect(hidden(fence(65))).toEqual([]);
    expect(hidden(`${'>'.repeat(65)} \`a\``)).toEqual(['`a`']);
  });

  it('hides nothing where there is nothing', () => {
    expect(scanHidden('')).toEqual([]);
    expect(scanHidden('\n\r\n')).toEqual([]);
  });
});
