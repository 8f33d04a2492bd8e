// Where a file stops being JSON, for the person who corrects it. Loaded only when one does.

import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';

/** ` (line 3, column 5: a comma is missing)`; empty where nothing is found. */
export function whereBroken(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return '';
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return ` (line ${before.length}, column ${column}: ${WORDS[printParseErrorCode(first.error)] ?? 'this is not JSON'})`;
}

const WORDS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes belongs here, and no comma before a closing brace',
  ValueExpected: 'a value belongs here',
  ColonExpected: 'a colon belongs here',
  CommaExpected: 'a comma belongs here',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the closing brace',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'a closing quote is missing',
  InvalidEscapeCharacter: 'this is no escape that JSON has',
  InvalidCharacter: 'a line break or another control character in a string',
};
