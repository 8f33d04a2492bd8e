// Names of files as git quotes them in a patch: whatever a name has in it, it stays on its line.

import { visibleText } from '../../text/printable.ts';

/** `a/b c.ts` as it is; a name with a line end, a quote or bytes that are no UTF-8 in quotes, C's way. */
export function quotedName(bytes: Buffer, before = ''): string {
  const text = bytes.toString('utf8');
  const isPlain = !bytes.some(isQuoted) && Buffer.from(text).equals(bytes);
  if (isPlain) return visibleText(before + text);
  const quoted = Array.from(bytes, (byte) => (isQuoted(byte) || byte > 0x7e ? escaped(byte) : char(byte)));
  return `"${before}${quoted.join('')}"`;
}

const char = (byte: number): string => String.fromCharCode(byte);

const isQuoted = (byte: number): boolean => byte < 0x20 || byte === 0x7f || byte === 0x22 || byte === 0x5c;

const LETTERS: Readonly<Record<number, string>> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
};

function escaped(byte: number): string {
  return `\\${LETTERS[byte] ?? byte.toString(8).padStart(3, '0')}`;
}
