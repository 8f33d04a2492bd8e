// Code spans and comments inside one paragraph, in one pass from left to right: whichever begins first wins.

import type { Range } from './signals.ts';

type Mark =
  /** A run of backticks. After a backslash its first one cannot open a span, but can still close one. */
  | { kind: 'ticks'; start: number; length: number; opening: number }
  | { kind: 'comment'; start: number }
  | { kind: 'comment-end'; start: number };

/** `lines` are the paragraph's lines, without what quotes and lists put before them. */
export function hiddenInParagraph(text: string, lines: readonly Range[]): Range[] {
  const marks = lines.flatMap((line) => marksIn(text, line));
  const partners = findPartners(marks);
  const hidden: Range[] = [];
  for (let index = 0; index < marks.length; ) {
    const mark = marks[index];
    const partner = partners[index];
    const end = partner === undefined ? undefined : marks[partner];
    index++;
    if (mark === undefined || end === undefined || partner === undefined) continue;
    hidden.push({ start: mark.start, end: end.start + (end.kind === 'ticks' ? end.length : 3) });
    index = partner + 1;
  }
  return hidden;
}

// An escaped backslash or bracket; backticks with the backslash before them; both ends of a comment, which may
// share their dashes.
const MARK = /\\[\\<]|\\?`+|<!(?=--)|-->/g;

function marksIn(text: string, line: Range): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: token, index } of text.slice(line.start, line.end).matchAll(MARK)) {
    const start = line.start + index;
    if (token === '<!') marks.push({ kind: 'comment', start });
    else if (token === '-->') marks.push({ kind: 'comment-end', start });
    else if (token.startsWith('`')) marks.push(run(start, token.length, token.length));
    else if (token.startsWith('\\`')) marks.push(run(start + 1, token.length - 1, token.length - 2));
  }
  return marks;
}

function run(start: number, length: number, opening: number): Mark {
  return { kind: 'ticks', start, length, opening };
}

/** For each mark the one that ends what it begins, looked for from the right so that it takes one pass. */
function findPartners(marks: readonly Mark[]): (number | undefined)[] {
  const partners: (number | undefined)[] = new Array(marks.length).fill(undefined);
  const ticks = new Map<number, number>();
  let commentEnd: number | undefined;
  for (let index = marks.length - 1; index >= 0; index--) {
    const mark = marks[index];
    switch (mark?.kind) {
      case 'ticks':
        partners[index] = mark.opening > 0 ? ticks.get(mark.opening) : undefined;
        ticks.set(mark.length, index);
        break;
      case 'comment':
        partners[index] = commentEnd;
        break;
      case 'comment-end':
        commentEnd = index;
        break;
      case undefined:
        break;
    }
  }
  return partners;
}
