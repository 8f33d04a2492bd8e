// The journal read forward, line by line, from a place that can be kept: for views that refresh and exporters that go on
// where they left off.

import fs from 'node:fs';
import { linesFrom } from '../text/forward.ts';
import { type JournalEntry, parseJournalLine } from './journal-lines.ts';
import { openSegment, type Position, segmentsOf } from './journal-segments.ts';
import { hasShape, isCount } from './shape.ts';

export type { Position } from './journal-segments.ts';

/** How far a reader has come; plain data, to be kept. */
export type Cursor = Position & {
  /** How far the segment before was read: a hook that had it open when it was closed may still write its end. */
  before: number;
};

export const isCursor = hasShape<Cursor>({ segment: isCount, offset: isCount, before: isCount });

export type ForwardLine = {
  /** Null: torn, foreign, or an event that only a newer version knows. */
  entry: JournalEntry | null;
  /** As it stands there; null: longer than any line of ours, and passed over. */
  text: string | null;
  position: Position;
  /** The cursor once this line is dealt with. */
  next: Cursor;
};

/**
 * Whole lines alone, from the cursor on; null: from the oldest that is kept. Of a line that has no end yet, nothing. Lines
 * that went with their segment since are passed over.
 */
export function* journalFrom(root: string, cursor: Cursor | null): Generator<ForwardLine> {
  let at = startAt(root, cursor);
  for (const line of linesOf(root, { segment: at.segment - 1, offset: at.before })) {
    at = { ...at, before: line.end };
    yield { ...line.read, next: at };
  }
  for (;;) {
    for (const line of linesOf(root, at)) {
      at = { ...at, offset: line.end };
      yield { ...line.read, next: at };
    }
    const next = segmentsOf(root).find((segment) => segment > at.segment);
    if (next === undefined) return;
    at = { segment: next, offset: 0, before: next === at.segment + 1 ? at.offset : 0 };
  }
}

/** The cursor behind everything that is there now, less the last `bytes`: at the beginning of a line. */
export function cursorBack(root: string, bytes: number): Cursor {
  let left = bytes;
  const segments = segmentsOf(root).toReversed();
  for (const segment of segments) {
    const size = sizeOf(root, segment);
    if (size > left)
      return { segment, offset: lineAfter(root, segment, size - left), before: endOf(root, segment - 1) };
    left -= size;
  }
  const oldest = segments.at(-1) ?? 1;
  return { segment: oldest, offset: 0, before: endOf(root, oldest - 1) };
}

/** Nothing is left of the place: numbers begin again where somebody removed the folder, and then all is new. */
function startAt(root: string, cursor: Cursor | null): Cursor {
  const segments = segmentsOf(root);
  const [oldest = 1] = segments;
  const begin = { segment: oldest, offset: 0, before: endOf(root, oldest - 1) };
  if (cursor === null || cursor.segment > (segments.at(-1) ?? 1)) return begin;
  if (cursor.segment < oldest) return begin;
  // Somebody emptied it.
  return cursor.offset > sizeOf(root, cursor.segment) ? { ...cursor, offset: 0 } : cursor;
}

type Read = { read: Omit<ForwardLine, 'next'>; end: number };

function* linesOf(root: string, { segment, offset }: Position): Generator<Read> {
  if (segment < 0) return;
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return;
  try {
    let start = offset;
    for (const { text, end } of linesFrom(descriptor, offset, Number.POSITIVE_INFINITY)) {
      const position = { segment, offset: start };
      start = end;
      // The one that ends a torn line.
      if (text === '') continue;
      yield { read: { entry: text === null ? null : parseJournalLine(text), text, position }, end };
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Of a segment that nobody has to read: its end, so that only what is still written to it is new. */
function endOf(root: string, segment: number): number {
  return segment < 0 ? 0 : sizeOf(root, segment);
}

function sizeOf(root: string, segment: number): number {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return 0;
  try {
    return fs.fstatSync(descriptor).size;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Where the next line begins, from this byte on. */
function lineAfter(root: string, segment: number, offset: number): number {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return offset;
  try {
    const [line] = linesFrom(descriptor, offset - 1, Number.POSITIVE_INFINITY);
    return line?.end ?? offset;
  } finally {
    fs.closeSync(descriptor);
  }
}
