// By which a segment of a journal is known again: the first bytes of it that were read. Its number alone would not do:
// numbers begin again where somebody removed the folder, and what lies there then was never read.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Cursor } from '../store/journal-forward.ts';
import { openSegment, segmentsOf } from '../store/journal-segments.ts';
import { hasShape, isCount, isText } from '../store/shape.ts';

export type Head = { bytes: number; hash: string };

export const isHead = hasShape<Head>({ bytes: isCount, hash: isText });

const MOST_BYTES = 512;

export function headAt(root: string, { segment, offset }: Cursor): Head {
  return headOf(root, segment, Math.min(MOST_BYTES, offset));
}

/**
 * The cursor, once more, where its segment is now: another number, where somebody removed those before it. Null: it is
 * gone, or another file is in its place; then what is there was never read.
 */
export function findAgain(root: string, cursor: Cursor, head: Head): Cursor | null {
  const isIt = (segment: number): boolean => headOf(root, segment, head.bytes).hash === head.hash;
  if (head.bytes === 0 || isIt(cursor.segment)) return cursor;
  const moved = segmentsOf(root).find(isIt);
  return moved === undefined ? null : { ...cursor, segment: moved, before: 0 };
}

function headOf(root: string, segment: number, bytes: number): Head {
  const descriptor = openSegment(root, segment);
  if (descriptor === null) return { bytes: 0, hash: '' };
  try {
    const read = Buffer.alloc(bytes);
    const length = fs.readSync(descriptor, read, 0, bytes, 0);
    return { bytes: length, hash: createHash('sha256').update(read.subarray(0, length)).digest('hex') };
  } finally {
    fs.closeSync(descriptor);
  }
}
