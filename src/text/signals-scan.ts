// The parts of a markdown text that are code or comments, found line by line in time that grows with the text
// alone. For texts too long for a parser. Knows what hides a signal (fences, comments, code spans, and the
// quotes and lists they stand in); raw HTML blocks other than comments are text to it.

import { LineCursor } from './line-cursor.ts';
import type { Range } from './signals.ts';
import { hiddenInParagraph } from './signals-inline.ts';

export function scanHidden(text: string): Range[] {
  const scan = new Scan(text);
  const ends = /\r\n|\n|\r|$/g;
  for (let start = 0; start <= text.length; ) {
    ends.lastIndex = start;
    const end = ends.exec(text)?.index ?? text.length;
    scan.line(start, end);
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return scan.finish();
}

/** A list item's lines are indented by `indent`; `bare` while nothing followed its marker yet. */
type Container = { kind: 'quote' } | { kind: 'item'; indent: number; bare: boolean };

type Leaf =
  | { kind: 'none' }
  /** Its lines without what the containers put before them. */
  | { kind: 'paragraph'; lines: Range[] }
  | { kind: 'fence'; marker: string; length: number }
  | { kind: 'comment' };

const NONE: Leaf = { kind: 'none' };

/** Deeper nesting is taken for text: no message needs it, and each blank line asks every container. */
const DEEPEST = 64;

class Scan {
  readonly #text: string;
  readonly #hidden: Range[] = [];
  #containers: Container[] = [];
  #leaf: Leaf = NONE;

  constructor(text: string) {
    this.#text = text;
  }

  line(start: number, end: number): void {
    const cursor = new LineCursor(this.#text, start, end);
    const continued = this.#continueContainers(cursor);
    const all = continued === this.#containers.length;
    if (all && this.#continueLeaf(cursor)) return;
    if (this.#leaf.kind === 'fence' || this.#leaf.kind === 'comment') this.#leaf = NONE;
    const opened = this.#openContainers(cursor, continued);
    // A paragraph goes on through a line that lacks its containers' marks, if nothing new begins there.
    const lazy =
      !all && !opened && this.#leaf.kind === 'paragraph' && startOfLeaf(cursor, true, true) === 'text';
    if (!lazy && !all && !opened) this.#close(continued);
    this.#startLeaf(cursor, lazy);
  }

  finish(): Range[] {
    this.#close(0);
    return this.#hidden;
  }

  #continueContainers(cursor: LineCursor): number {
    let count = 0;
    for (const container of this.#containers) {
      if (!continues(container, cursor)) break;
      count++;
    }
    return count;
  }

  /** True when the line belongs to the fence or comment that is open. */
  #continueLeaf(cursor: LineCursor): boolean {
    const leaf = this.#leaf;
    if (leaf.kind !== 'fence' && leaf.kind !== 'comment') return false;
    this.#hide(cursor);
    const closes =
      leaf.kind === 'fence' ? closesFence(cursor, leaf.marker, leaf.length) : cursor.rest().includes('-->');
    if (closes) this.#leaf = NONE;
    return true;
  }

  /** Opens what begins on this line, and closes what does not continue on it. */
  #openContainers(cursor: LineCursor, continued: number): boolean {
    let opened = false;
    for (;;) {
      const interrupts = !opened && continued === this.#containers.length && this.#leaf.kind === 'paragraph';
      if (this.#containers.length >= DEEPEST) return opened;
      const container = readContainer(cursor, interrupts);
      if (container === null) return opened;
      if (!opened) this.#close(continued);
      this.#containers.push(container);
      opened = true;
    }
  }

  #startLeaf(cursor: LineCursor, lazy: boolean): void {
    const paragraph = this.#leaf.kind === 'paragraph' ? this.#leaf : null;
    const begins = startOfLeaf(cursor, paragraph !== null, lazy);
    if (begins === 'text' && paragraph !== null) {
      paragraph.lines.push(cursor.restRange());
      return;
    }
    this.#end();
    switch (begins) {
      case 'text':
        this.#leaf = { kind: 'paragraph', lines: [cursor.restRange()] };
        break;
      case 'heading':
        this.#hidden.push(...hiddenInParagraph(this.#text, [cursor.restRange()]));
        break;
      case 'fence':
        this.#hide(cursor);
        this.#leaf = openingFence(cursor.rest()) ?? NONE;
        break;
      case 'comment':
        this.#hide(cursor);
        // The dashes may serve both ends: `<!-->` is a whole comment.
        if (!cursor.rest().includes('-->', 2)) this.#leaf = { kind: 'comment' };
        break;
      case 'nothing':
        break;
    }
  }

  #close(from: number): void {
    this.#end();
    this.#containers.length = from;
  }

  #end(): void {
    if (this.#leaf.kind === 'paragraph')
      this.#hidden.push(...hiddenInParagraph(this.#text, this.#leaf.lines));
    this.#leaf = NONE;
  }

  #hide(cursor: LineCursor): void {
    this.#hidden.push({ start: cursor.start, end: cursor.end });
  }
}

function continues(container: Container, cursor: LineCursor): boolean {
  if (container.kind === 'quote') return readQuote(cursor);
  if (cursor.isBlank) return !container.bare;
  container.bare = false;
  return cursor.skipColumns(container.indent);
}

function readContainer(cursor: LineCursor, interrupts: boolean): Container | null {
  if (cursor.indent >= 4) return null;
  if (readQuote(cursor)) return { kind: 'quote' };
  const rest = cursor.rest();
  if (isBreak(rest)) return null;
  const marker = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(rest);
  if (marker === null) return null;
  const bare = /^[ \t]*$/.test(rest.slice(marker[0].length));
  if (interrupts && (bare || (marker[1] !== undefined && Number(marker[1]) !== 1))) return null;
  const before = cursor.indent;
  cursor.skipCharacters(marker[0].length);
  const blanks = cursor.indent;
  const after = bare || blanks > 4 ? 1 : blanks;
  if (!bare) cursor.skipColumns(after);
  return { kind: 'item', indent: before + marker[0].length + after, bare };
}

function readQuote(cursor: LineCursor): boolean {
  if (cursor.indent >= 4 || !cursor.rest().startsWith('>')) return false;
  cursor.skipCharacters(1);
  if (cursor.indent > 0) cursor.skipColumns(1);
  return true;
}

/** `nothing`: a blank line, a rule, an underline, or indented code, which stands too far in for a signal. */
function startOfLeaf(
  cursor: LineCursor,
  inParagraph: boolean,
  lazy: boolean,
): 'text' | 'heading' | 'fence' | 'comment' | 'nothing' {
  if (cursor.isBlank) return 'nothing';
  if (cursor.indent >= 4) return inParagraph ? 'text' : 'nothing';
  const rest = cursor.rest();
  if (openingFence(rest) !== null) return 'fence';
  if (rest.startsWith('<!--')) return 'comment';
  if (isHeading(rest)) return 'heading';
  if (isBreak(rest) || (inParagraph && !lazy && /^(?:=+|-+)[ \t]*$/.test(rest))) return 'nothing';
  return 'text';
}

function openingFence(rest: string): Extract<Leaf, { kind: 'fence' }> | null {
  const run = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(rest);
  const fence = run?.[1] ?? run?.[2];
  return fence === undefined ? null : { kind: 'fence', marker: fence.charAt(0), length: fence.length };
}

function closesFence(cursor: LineCursor, marker: string, length: number): boolean {
  if (cursor.indent >= 4) return false;
  const rest = cursor.rest().trimEnd();
  return rest.length >= length && rest === marker.repeat(rest.length);
}

function isHeading(rest: string): boolean {
  return /^#{1,6}(?:[ \t]|$)/.test(rest);
}

function isBreak(rest: string): boolean {
  return /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(rest);
}
