// The parts of a markdown text that are code or comments, found by a CommonMark parser. Loaded only when a
// text really holds a signal: the parser is larger than the rest of the hook.

import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Range } from './signals.ts';

type Node = {
  type: string;
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
  children?: readonly Node[];
};

/**
 * Neither emphasis nor links hide anything, and resolving them can take a minute where all the rest takes none:
 * the parser needs time that grows with the square of what stands open.
 */
const withoutLinks = {
  disable: { null: ['attention', 'labelStartLink', 'labelStartImage', 'labelEnd', 'definition'] },
};

export function hiddenInMarkdown(text: string): Range[] {
  const hidden: Range[] = [];
  const waiting: Node[] = [fromMarkdown(text, { extensions: [withoutLinks] })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const range = rangeOf(node);
    if (range !== null && (node.type === 'code' || node.type === 'inlineCode')) hidden.push(range);
    if (range !== null && node.type === 'html') hidden.push(...commentsIn(text, range));
    waiting.push(...(node.children ?? []));
  }
  return hidden;
}

/** Fenced and indented code are both `code`, with their fences. */
function rangeOf({ position }: Node): Range | null {
  const start = position?.start.offset;
  const end = position?.end.offset;
  return start === undefined || end === undefined ? null : { start, end };
}

/** A block of HTML may hold more than the comment; a comment nobody closes reaches to the block's end. */
function commentsIn(text: string, block: Range): Range[] {
  const comments: Range[] = [];
  const html = text.slice(block.start, block.end);
  for (let start = html.indexOf('<!--'); start >= 0; ) {
    // CommonMark calls `<!-->` a whole comment: the dashes may serve both ends.
    const close = html.indexOf('-->', start + 2);
    const end = close < 0 ? html.length : close + 3;
    comments.push({ start: block.start + start, end: block.start + end });
    start = html.indexOf('<!--', end);
  }
  return comments;
}
