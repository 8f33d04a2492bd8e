// What the agent did since a line of its transcript that we know, read backward from the end so that the
// transcript's length never matters. Says nothing about what the agent wrote: see the workflow that asks.

import fs from 'node:fs';
import type { TranscriptLine } from '../clients/client.ts';
import { openRegular } from '../store/files.ts';
import { linesFromEnd } from './backward.ts';

/** Beyond this nobody knows; an agent that wrote so much between two stops has surely worked. */
const READ_AT_MOST = 8 * 1024 * 1024;

export type Activity = {
  tools: 'yes' | 'no' | 'unknown';
  /** The newest line, to be recognised at the next stop; null when there is none. */
  marker: string | null;
};

type ReadLine = (line: string) => TranscriptLine | null;

/** `since` null: nothing was seen before, so there is nothing to compare with and only the marker is taken. */
export function activitySince(file: string | null, since: string | null, read: ReadLine): Activity {
  const descriptor = file === null ? null : openQuietly(file);
  if (descriptor === null) return { tools: 'unknown', marker: since };
  try {
    return readBack(descriptor, since, read);
  } finally {
    fs.closeSync(descriptor);
  }
}

function readBack(descriptor: number, since: string | null, read: ReadLine): Activity {
  let newest: string | null = null;
  let called = false;
  for (const line of linesFromEnd(descriptor, READ_AT_MOST)) {
    const found = line.torn ? null : read(line.text);
    if (found === null) continue;
    newest ??= found.marker;
    if (since === null) return { tools: 'unknown', marker: newest };
    if (found.marker === since) return { tools: called ? 'yes' : 'no', marker: newest };
    called ||= found.toolCall;
  }
  // The marker is gone (a fork or compaction rewrote the file), or it is too far back to tell.
  return { tools: 'unknown', marker: newest ?? since };
}

/** An unreadable transcript tells nothing; that is no reason to fail a stop. */
function openQuietly(file: string): number | null {
  try {
    return openRegular(file);
  } catch {
    return null;
  }
}
