// What a program printed for a terminal, as plain text, and the last lines of that.

import { plainText } from '../../text/printable.ts';

const MOST_CHARACTERS = 2000;

/** Whole lines, unless the last one alone is longer. */
export function tailOf(output: string): string {
  const text = asShown(output);
  if (text.length <= MOST_CHARACTERS) return text;
  const cut = text.slice(-MOST_CHARACTERS);
  const start = cut.indexOf('\n') + 1;
  // A pair of surrogates may have been cut in two.
  return (start > 0 ? cut.slice(start) : cut.replace(/^[\udc00-\udfff]/, '')).trimStart();
}

/** As the terminal shows it in the end. */
export function asShown(output: string): string {
  const lines = output.replace(SEQUENCES, '').split(/\r?\n/).map(lastShown);
  // No pattern looks for what stands before an end: its time would grow with the square of a long row of blanks.
  const trimmed = plainText(lines.join('\n'))
    .split('\n')
    .map((line) => line.trimEnd());
  return trimmed.join('\n').trim();
}

/** A program that counts on one line writes over what it wrote before. */
function lastShown(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end).split('\r').at(-1) ?? '';
}

/** Colours, movements of the cursor, titles and links: with their parameters, which would be left as letters. */
const SEQUENCES = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]', // control sequences
    '\\u001b[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?', // texts for the terminal
    '\\u001b[ -/]*[0-~]', // everything shorter
    '.\\u0008', // a letter that is struck out
  ].join('|'),
  'g',
);
