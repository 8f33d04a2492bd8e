import { expect, test } from 'vitest';
import { inOneParagraph } from './paragraph.ts';

test.each([
  ['as it is', 'Which "one"?', 'Which "one"?'],
  ['blanks alone', ' \n\t \r\n', ''],
  ['line breaks', 'Which\r\none?\n\n- a\n- b\n', 'Which one? - a - b'],
  ['further line ends', 'a\u2028b\u2029c\u0085d', 'a b c d'],
  ['what steers a terminal', 'a\u001b[2J\u009b31m\u202eb\u0000', 'a [2J 31m b'],
  ['exactly as long as it may be', 'x'.repeat(20), 'x'.repeat(20)],
  ['one too long', 'x'.repeat(21), `${'x'.repeat(19)}…`],
  ['pairs, counted as one', '\u{1f600}'.repeat(20), '\u{1f600}'.repeat(20)],
  ['pairs, none cut in two', '\u{1f600}'.repeat(21), `${'\u{1f600}'.repeat(19)}…`],
])('%s', (_, text, line) => {
  expect(inOneParagraph(text, 20)).toBe(line);
});
