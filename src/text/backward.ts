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

/**
 * Last line first; empty lines are passed over. Stops after `limit` bytes: a line cut by it is not given. `before`: only
 * what stands before that byte, which begins a line.
 */
export function* linesFromEnd(
  descriptor: number,
  limit = Number.POSITIVE_INFINITY,
  before = Number.POSITIVE_INFINITY,
): Generator<BackwardLine> {
  const size = Math.min(before, fs.fstatSync(descriptor).size);
  const floor = Math.max(0, size - limit);
  let rest: Buffer[] = [];
  let end = size;
  let torn = true;
  while (end > floor) {
    const start = Math.max(floor, end - CHUNK);
    const chunk = readAt(descriptor, start, end - start);
    if (chunk.length < end - start) return; // The file was cut while we read it.
    let stop = chunk.length;
    for (let newline = lastLineEnd(chunk, stop); newline >= 0; newline = lastLineEnd(chunk, stop)) {
      const line = join(chunk.subarray(newline + 1, stop), rest);
      rest = [];
      if (line.length > 0) yield { text: line.toString('utf8'), start: start + newline + 1, torn };
      torn = false;
      stop = newline;
    }
    if (stop > 0) rest.unshift(chunk.subarray(0, stop));
    end = start;
  }
  const [head, ...others] = rest;
  if (floor === 0 && head !== undefined) yield { text: join(head, others).toString('utf8'), start: 0, torn };
}

/** Before `stop`; -1 when there is none. Not by Buffer's own way of searching: node would have to compile it first. */
function lastLineEnd(chunk: Buffer, stop: number): number {
  return stop === 0 ? -1 : Uint8Array.prototype.lastIndexOf.call(chunk, 0x0a, stop - 1);
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
