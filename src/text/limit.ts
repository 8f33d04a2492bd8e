// What the transcript says of limits at which the session could not go on: the one that ended its last turn, and how
// long it was away at such. The client's event about it can be lost; the transcript cannot.

import fs from 'node:fs';
import type { SessionLimit, TranscriptLine } from '../clients/client.ts';
import { openOwn } from '../store/open.ts';
import { linesFromEnd } from './backward.ts';

type ReadLine = (line: string) => TranscriptLine | null;

/** An error stands at the very end; a few rows about it may follow. */
const END_AT_MOST = 256 * 1024;
const READ_AT_MOST = 16 * 1024 * 1024;

/** Null: the last turn did not end so, or its line is not there yet. */
export function limitAtEnd(file: string | null, read: ReadLine): SessionLimit | null {
  for (const line of backward(file, END_AT_MOST, read)) {
    if (line.limit !== undefined) return line.limit;
    if (isOfTurn(line)) return null;
  }
  return null;
}

export type Since = {
  /** The newest line that was known then; null: none is known. */
  marker: string | null;
  /** Milliseconds: lines that say they are older are passed over. */
  time: number;
};

/** Milliseconds from each such end of a turn to the next line of another one, or to now. */
export function timeAtLimits(file: string | null, since: Since, now: number, read: ReadLine): number {
  let total = 0;
  let back = now;
  for (const line of backward(file, READ_AT_MOST, read)) {
    const { marker, at, limit } = line;
    if (marker === since.marker || (at !== undefined && at < since.time)) break;
    if (at === undefined) continue;
    if (limit !== undefined) total += Math.max(0, back - at);
    // From an earlier end on without a turn in between it was away already, and is counted up to here.
    if (limit !== undefined || isOfTurn(line)) back = Math.min(back, at);
  }
  return total;
}

function isOfTurn({ startsTurn, toolCall, said }: TranscriptLine): boolean {
  return startsTurn || toolCall || said !== null;
}

/** What is said in each line, the last one first. An unreadable transcript says nothing. */
function* backward(file: string | null, limit: number, read: ReadLine): Generator<TranscriptLine> {
  const descriptor = file === null ? null : openQuietly(file);
  if (descriptor === null) return;
  try {
    for (const { text, torn } of linesFromEnd(descriptor, limit)) {
      const line = torn ? null : read(text);
      if (line !== null) yield line;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

function openQuietly(file: string): number | null {
  try {
    return openOwn(file);
  } catch {
    return null;
  }
}
