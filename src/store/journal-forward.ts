// The journal read forward, line by line, from a place that can be kept: for views that refresh and exporters that go on
// where they left off.

import type { JournalEntry } from './journal-lines.ts';

/**
 * A line's place for as long as it is kept. Segments are numbered as their files are; the file that is written to has the
 * number that it will get when it becomes a segment, and what 0.2 and earlier left beside it has 0.
 */
export type Position = { segment: number; offset: number };

/** How far a reader has come; plain data, to be kept. */
export type Cursor = Position & {
  /** How far the segment before was read: a hook that had it open when it was closed may still write its end. */
  before: number;
};

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
export type JournalFrom = (root: string, cursor: Cursor | null) => Generator<ForwardLine>;
