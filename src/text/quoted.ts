// A name or a path that may hold anything, for a text and for a command that people and agents read. What a screen hides is
// written by its number: what is shown is all there is.

import { plainText } from './printable.ts';
import { shellQuote } from './shell.ts';

/** As JSON: where it begins and ends is seen, and a blank or a quote in it is one. */
export function quoted(text: string): string {
  return [...JSON.stringify(text)]
    .map((character) => (isHidden(character) ? escaped(character) : character))
    .join('');
}

/** One that is a plain word stands as it is. */
export function quotedUnlessPlain(name: string): string {
  return /^[\w.:-]+$/.test(name) ? name : quoted(name);
}

/** One word of a command that is shown, often between backticks. A shell makes the bytes of what is hidden, and those. */
export function shownWord(word: string | Uint8Array): string {
  if (typeof word === 'string' && /^[\x21-\x5f\x61-\x7e]*$/.test(word)) return shellQuote(word);
  const text = Buffer.from(word).toString('utf8');
  const isText = Buffer.from(text).equals(Buffer.from(word));
  if (isText && !text.includes('`') && ![...text].some(isHidden)) return shellQuote(text);
  const bytes = [...Buffer.from(word)].map((byte) =>
    isPlainByte(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  // A shell takes line ends off what a command printed; a folder is the same with a slash.
  const end = bytes.at(-1) === '\\012' ? '/' : '';
  return `"$(printf '${bytes.join('')}${end}')"`;
}

const isHidden = (character: string): boolean =>
  character === '\n' || character === '\t' || plainText(character) !== character;

/** Letters, digits, and what neither a shell nor printf takes for anything else. */
const isPlainByte = (byte: number): boolean => /[\w./:]/.test(String.fromCharCode(byte));

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
