// Reads the lines of a file from its end, so that a log of a gigabyte costs what a small one does.

import fs from 'node:fs';

const CHUNK = 64 * 1024;

export type BackwardLine = {
  text: string;
  /** Offset of the line's first byte. */
  start: number;
  /** The file's last line when no line end follows it: half written, or still being written. */
  torn: boolean;
};

/** Last line first; empty lines are passed over. Stops after `limit` bytes: a line cut by it is not given. */
export function* linesFromEnd(descriptor: number, limit = Number.POSITIVE_INFINITY): Generator<BackwardLine> {
  const { size } = fs.fstatSync(descriptor);
  const floor = Math.max(0, size - limit);
  let rest: Buffer[] = [];
  let end = size;
  let torn = true;
  while (end > floor) {
    const start = Math.max(floor, end - CHUNK);
    const chunk = readAt(descriptor, start, end - start);
    if (chunk.length < end - start) return; // The file was cut while we read it.
    let stop = chunk.length;
    for (let newline = chunk.lastIndexOf(0x0a, stop - 1); newline >= 0 && stop > 0; ) {
      const line = join(chunk.subarray(newline + 1, stop), rest);
      rest = [];
      if (line.length > 0) yield { text: line.toString('utf8'), start: start + newline + 1, torn };
      torn = false;
      stop = newline;
      newline = stop > 0 ? chunk.lastIndexOf(0x0a, stop - 1) : -1;
    }
    if (stop > 0) rest.unshift(chunk.subarray(0, stop));
    end = start;
  }
  const first = join(Buffer.alloc(0), rest);
  if (floor === 0 && first.length > 0) yield { text: first.toString('utf8'), start: 0, torn };
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const count = fs.readSync(descriptor, buffer, read, length - read, position + read);
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}

function join(head: Buffer, rest: readonly Buffer[]): Buffer {
  return rest.length === 0 ? head : Buffer.concat([head, ...rest]);
}
