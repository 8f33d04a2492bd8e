// A text of an agent's as one paragraph, for a line that people read.

import { plainText } from './printable.ts';

/** Line breaks, tabs and what steers a terminal become blanks; what is longer than `most` is cut, with a mark. */
export function inOneParagraph(text: string, most: number): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  // By characters, so that none is cut in two.
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}
