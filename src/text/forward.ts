// The whole lines of a file from a place on, a piece at a time, so that a transcript of any length takes little memory.

import fs from 'node:fs';

const CHUNK = 1024 * 1024;
/** A longer line is no line of a client's: it is passed over. */
const LONGEST = 16 * CHUNK;

/** `end`: where the next one begins. */
export type ForwardLine = { text: string | null; end: number };

/** No more than `most` bytes; of a line that has no end yet, nothing. */
export function* linesFrom(descriptor: number, from: number, most: number): Generator<ForwardLine> {
  let rest: Buffer = Buffer.alloc(0);
  let isCut = false;
  let at = from;
  for (let left = most; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, left));
    const count = fs.readSync(descriptor, chunk, 0, chunk.length, at);
    if (count === 0) return;
    left -= count;
    let start = 0;
    const piece = chunk.subarray(0, count);
    for (let end = piece.indexOf(0x0a); end >= 0; end = piece.indexOf(0x0a, start)) {
      const line =
        rest.length === 0 ? piece.subarray(start, end) : Buffer.concat([rest, piece.subarray(start, end)]);
      yield { text: isCut ? null : line.toString('utf8'), end: at + end + 1 };
      rest = Buffer.alloc(0);
      isCut = false;
      start = end + 1;
    }
    at += count;
    rest = rest.length === 0 ? piece.subarray(start) : Buffer.concat([rest, piece.subarray(start)]);
    if (rest.length <= LONGEST) continue;
    // What is passed over of it is not read again, though its end is still to come.
    yield { text: null, end: at };
    rest = Buffer.alloc(0);
    isCut = true;
  }
}
