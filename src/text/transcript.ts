// What happened since a line of the agent's transcript that we know, read backward from the end so that the
// transcript's length never matters. Says nothing about what the agent wrote: see the workflow that asks.

import fs from 'node:fs';
import type { TranscriptLine } from '../clients/client.ts';
import { openOwn } from '../store/open.ts';
import { linesFromEnd } from './backward.ts';

/** Beyond this nobody knows; an agent that wrote so much between two stops has surely worked. */
const READ_AT_MOST = 8 * 1024 * 1024;

export type Activity = {
  tools: 'yes' | 'no' | 'unknown';
  /** The newest line, to be recognised at the next stop; null when there is none. */
  marker: string | null;
  /** The conversation was compacted since. */
  compacted?: true;
  /** The last tool output said that what it started still runs. */
  leavesRunning?: true;
};

type ReadLine = (line: string) => TranscriptLine | null;

/** The marker of what comes before a transcript's first line: no line has it. */
export const TRANSCRIPT_START = '';

/** `since` null: nothing was seen before, so there is nothing to compare with. */
export function activitySince(file: string | null, since: string | null, read: ReadLine): Activity {
  // The client makes the file when there is something to write.
  const isNotThere = file !== null && since === TRANSCRIPT_START && !fs.existsSync(file);
  const nothing: Activity = { tools: isNotThere ? 'no' : 'unknown', marker: since };
  return readingBack(file, read, nothing, (lines, isWhole) => activityIn(lines, since, isWhole));
}

function activityIn(lines: Iterable<TranscriptLine>, since: string | null, isWhole: boolean): Activity {
  let newest: string | null = null;
  let leavesRunning: boolean | undefined;
  let called = false;
  let compacted = false;
  const denied = new Set<string>();
  const found = (tools: Activity['tools'], marker: string | null): Activity => ({
    tools,
    marker,
    ...(compacted && { compacted }),
    ...(leavesRunning && { leavesRunning }),
  });
  for (const line of lines) {
    newest ??= line.marker;
    if (since === line.marker) return found(called ? 'yes' : 'no', newest);
    compacted ||= line.compacted === true;
    leavesRunning ??= line.leavesRunning;
    const isBeforeOutput = leavesRunning !== undefined || line.toolCall || line.startsTurn;
    if (since === null && isBeforeOutput) return found('unknown', newest);
    for (const id of line.denied ?? []) denied.add(id);
    called ||= line.toolCall && !isDenied(line, denied);
  }
  if (since === TRANSCRIPT_START && isWhole) return found(called ? 'yes' : 'no', newest ?? since);
  // The marker is gone (a fork or compaction rewrote the file), or it is too far back to tell.
  return found('unknown', newest ?? since);
}

/** Its result stands after it, so that reading back has seen it. */
function isDenied({ calls = [] }: TranscriptLine, denied: ReadonlySet<string>): boolean {
  return calls.length > 0 && calls.every((id) => denied.has(id));
}

/** Did a person begin a turn after that line? A turn of which nobody knows who began it counts as a person's. */
export function personBegan(file: string | null, since: string, read: ReadLine): 'yes' | 'no' | 'unknown' {
  return readingBack<'yes' | 'no' | 'unknown'>(file, read, 'unknown', (lines) => {
    let began = false;
    for (const line of lines) {
      if (line.marker === since) return began ? 'yes' : 'no';
      began ||= line.startsTurn && (line.startedBy ?? 'person') === 'person';
    }
    return 'unknown';
  });
}

/** An unreadable transcript tells nothing; that is no reason to fail a stop. */
function readingBack<T>(
  file: string | null,
  read: ReadLine,
  otherwise: T,
  find: (lines: Iterable<TranscriptLine>, isWhole: boolean) => T,
): T {
  const descriptor = file === null ? null : openQuietly(file);
  if (descriptor === null) return otherwise;
  try {
    return find(readableLines(descriptor, read), fs.fstatSync(descriptor).size <= READ_AT_MOST);
  } finally {
    fs.closeSync(descriptor);
  }
}

function* readableLines(descriptor: number, read: ReadLine): Generator<TranscriptLine> {
  for (const line of linesFromEnd(descriptor, READ_AT_MOST)) {
    const found = line.torn ? null : read(line.text);
    if (found !== null) yield found;
  }
}

function openQuietly(file: string): number | null {
  try {
    return openOwn(file);
  } catch {
    return null;
  }
}
