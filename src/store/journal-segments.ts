// Where a line of the journal stands, and how its file is found again: the file that is written to becomes a segment under
// everybody who reads it.

import fs from 'node:fs';
import { homeOf, journalFolder, journalPath } from './home.ts';
import { numbersIn, openJournal, segmentPath } from './journal.ts';
import { hasShape, isCount } from './shape.ts';

/**
 * A line's place for as long as it is kept. Segments are numbered as their files are; the file that is written to has the
 * number that it will get when it becomes a segment, and what 0.2 and earlier left beside it has 0.
 */
export type Position = { segment: number; offset: number };

export const isPosition = hasShape<Position>({ segment: isCount, offset: isCount });

/** The numbers of the segments that are there, the oldest first; the last one is written to. */
export function segmentsOf(root: string): number[] {
  const home = homeOf(root);
  const closed = numbersIn(journalFolder(home)).toReversed();
  const old = isFile(`${journalPath(home)}.1`) ? [0] : [];
  return [...old, ...closed, (closed.at(-1) ?? 0) + 1];
}

/** For reading; null: it is gone, or not there yet. What is opened has that number, whatever happens meanwhile. */
export function openSegment(root: string, segment: number): number | null {
  const home = homeOf(root);
  if (segment === 0) return openQuietly(`${journalPath(home)}.1`);
  for (;;) {
    const newest = newestClosed(home);
    if (segment <= newest) return openQuietly(segmentPath(journalFolder(home), segment));
    if (segment > newest + 1) return null;
    const descriptor = openQuietly(journalPath(home));
    // It became a segment while we opened it, or another did in its place: then that one has the number.
    if (newestClosed(home) === newest) return descriptor;
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

function newestClosed(home: string): number {
  return numbersIn(journalFolder(home))[0] ?? 0;
}

/** A folder, or a file that may not be read, in its place is said by `status`; a reader finds nothing there. */
function openQuietly(file: string): number | null {
  try {
    return openJournal(file);
  } catch {
    return null;
  }
}

function isFile(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
