// The journal read backward from any of its lines: a page of what is older, and the one line behind a mark.

import fs from 'node:fs';
import { linesFromEnd } from '../text/backward.ts';
import { linesFrom } from '../text/forward.ts';
import { type JournalEntry, parseJournalLine } from './journal-lines.ts';
import { openSegment, type Position, segmentsOf } from './journal-segments.ts';

/** A journal that came with a repository may be of any length. */
const READ_OF_ONE_FILE = 64 * 1024 * 1024;
const LONGEST_LINE = 1024 * 1024;

export type BackwardEntry = { entry: JournalEntry | null; position: Position };

/** The newest first; null: from the end on. Torn and foreign lines have no entry. */
export function* journalBefore(root: string, before: Position | null): Generator<BackwardEntry> {
  for (const segment of segmentsOf(root).toReversed()) {
    if (before !== null && segment > before.segment) continue;
    const end = segment === before?.segment ? before.offset : Number.POSITIVE_INFINITY;
    yield* entriesIn(root, segment, end);
  }
}

/** As it stands there; null: no line begins there, or it is gone. */
export function journalLineAt(root: string, { segment, offset }: Position): string | null {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return null;
  try {
    if (offset > 0 && byteAt(descriptor, offset - 1) !== 0x0a) return null;
    const [line] = linesFrom(descriptor, offset, LONGEST_LINE);
    return line?.text ?? null;
  } finally {
    fs.closeSync(descriptor);
  }
}

function* entriesIn(root: string, segment: number, end: number): Generator<BackwardEntry> {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return;
  try {
    for (const { text, start } of linesFromEnd(descriptor, READ_OF_ONE_FILE, end))
      yield { entry: parseJournalLine(text), position: { segment, offset: start } };
  } finally {
    fs.closeSync(descriptor);
  }
}

function byteAt(descriptor: number, offset: number): number | undefined {
  const byte = Buffer.alloc(1);
  return fs.readSync(descriptor, byte, 0, 1, offset) === 1 ? byte[0] : undefined;
}
