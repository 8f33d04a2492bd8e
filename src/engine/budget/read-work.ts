// Reads from the transcript of a run's session when its agent worked since that was last counted: from the end, no
// further than so many bytes.

import fs from 'node:fs';
import type { TranscriptLine } from '../../clients/client.ts';
import { clientNamed } from '../../clients/index.ts';
import type { WorkLine } from '../../clients/work.ts';
import { openOwn } from '../../store/open.ts';
import type { Sidecar } from '../../store/records.ts';
import { linesFromEnd } from '../../text/backward.ts';
import type { StopContext } from '../context.ts';
import type { Clock, Mark } from './types.ts';

const READ_AT_MOST = 32 * 1024 * 1024;
/** Clients do not always write their rows in the order of their times. */
const OUT_OF_ORDER_MS = 60_000;
/** In steps of 25 ms. Claude Code writes its transcript on a 100 ms timer (2.1.197). */
const WAITS_FOR_PROMPT = 10;
/** The row of the message that ended the turn is no older than that once it is there. */
const FRESH_MS = 2_000;

export type Work = {
  /** Null: nothing but the record tells. */
  rows: readonly Mark[] | null;
  /** Where this was read: the next stop tells by it whether a prompt came in between. */
  from: Clock['from'];
  /** The transcript has no times; null: there is nothing to tell it by yet. */
  byStops: boolean | null;
};

export async function readWork(
  { clock }: { clock: Clock },
  { takenOver = 0 }: Sidecar,
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
): Promise<Work> {
  const { client, session, turn, transcriptPath: transcript } = stop;
  const before = clock.from;
  const reader = await readerOf(client);
  const read = (): Found | null => rowsSince(transcript, reader, clock.at);
  let found = read();
  const isNewTurn = turn !== null && turn !== before?.turn;
  const isLate = (): boolean =>
    found === null || (found.rows !== null && found.newest < project.now - FRESH_MS);
  for (let waits = 0; isNewTurn && transcript !== null && waits < WAITS_FOR_PROMPT && isLate(); waits++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    found = read();
  }
  const from = { client, session, turn, transcript };
  const byStops = transcript === null ? true : found && found.rows === null;
  if (found === null || found.rows === null) return { rows: null, from, byStops };
  const isPrompted = found.rows.some(({ kind }) => kind === 'begins');
  // A prompt came that has no row yet.
  const prompt: Mark[] =
    isNewTurn && before?.turn && before.session === session && !isPrompted
      ? [{ at: project.now, kind: 'begins' }]
      : [];
  const rows = [...found.rows, ...prompt];
  if (before === undefined || before.session === session || takenOver <= clock.at)
    return { rows, from, byStops };
  // What the session did that had the run before, and what this one did since it took it over.
  const former = rowsSince(before.transcript, await readerOf(before.client), clock.at);
  const theirs = (former?.rows ?? []).filter(({ at }) => at <= takenOver);
  const ours = rows.filter(({ at }) => at > takenOver);
  return { rows: [...theirs, { at: takenOver, kind: 'begins' }, ...ours], from, byStops };
}

/** `rows` null: it has no times. */
type Found = { rows: readonly Mark[] | null; newest: number };

/** Null: it is not there, or says nothing yet. */
function rowsSince(file: string | null, read: ReadMarks, since: number): Found | null {
  const descriptor = file === null ? null : openQuietly(file);
  if (descriptor === null) return null;
  try {
    const rows: Mark[] = [];
    let newest: number | null = null;
    let isThere = false;
    for (const { text, torn } of linesFromEnd(descriptor, READ_AT_MOST)) {
      if (torn) continue;
      isThere = true;
      const line = read(text);
      if (line === null) continue;
      const { at, mark } = line;
      newest = Math.max(newest ?? 0, at);
      if (at < since - OUT_OF_ORDER_MS) break;
      if (mark !== null && at > since) rows.push(mark);
    }
    if (newest === null) return isThere ? { rows: null, newest: 0 } : null;
    return { rows: rows.reverse(), newest };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Null: a line without a time. */
type ReadMarks = (line: string) => { at: number; mark: Mark | null } | null;

async function readerOf(name: string): Promise<ReadMarks> {
  const { readTranscriptLine, work } = clientNamed(name);
  const readWorkLine = (await work?.()) ?? null;
  return (text) => {
    const line = readTranscriptLine(text);
    if (line?.at === undefined) return null;
    const { at } = line;
    return { at, mark: markIn(line, at, readWorkLine === null ? workIn(line) : readWorkLine(text)) };
  };
}

/** Of a client that we do not know as well. */
function workIn({ said, toolCall }: TranscriptLine): WorkLine | null {
  return said !== null || toolCall ? { kind: 'own', calls: [] } : null;
}

function markIn(
  { failed, startsTurn, startedBy }: TranscriptLine,
  at: number,
  work: WorkLine | null,
): Mark | null {
  if (failed) return { at, kind: 'ends' };
  if (startsTurn) return { at, kind: startedBy === 'hook' ? 'holds' : 'begins' };
  if (work?.kind === 'own') return { at, kind: 'works', calls: work.calls };
  return work && { at, ...work };
}

function openQuietly(file: string): number | null {
  try {
    return openOwn(file);
  } catch {
    return null; // As with tokens: what cannot be read tells nothing.
  }
}
