// How far a collector has got everything: a cursor per journal, the runs that go on, and all that was counted. One
// record per collector in the user's state folder, replaced as a whole and only after the collector said yes.

import { createHash } from 'node:crypto';
import { NotNow } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { type Cursor, isCursor } from '../store/journal-forward.ts';
import { hasShape, isFlag, isNumber, isOneOf, isTableOf, isText, isTime, orNull } from '../store/shape.ts';
import { changeUserRecord, hasUserRecord, makeUserFolder, readUserRecord } from '../store/user-state.ts';
import { shellQuote } from '../text/shell.ts';
import { type Head, isHead } from './head.ts';
import { isSeriesTable, type SeriesTable } from './series.ts';

/** A run as it goes on: what the next lines about it belong to. */
export type RunState = {
  /** The key of its first line: its trace. */
  began: string;
  /** The key of the first line since it was begun or taken up again, and when: the span of this part of it. */
  part: string;
  since: number;
  /** That part has ended. */
  over: boolean;
  /** Work that was begun, by its attempt, and when. */
  work: Readonly<Record<string, number>>;
  /** Since when it waits, where a line of its own said that it began; that line's kind will say that it ended. */
  waits: number | null;
  /** What lines of their own have said since the stop before: that stop's line says it once more. */
  said: Said;
  /** Tokens that its budget had seen; null: it was never asked. */
  tokens: number | null;
  /** Of reviews since then: the budget counts them too. */
  reviewTokens: number;
};

export type Said = { checks: boolean; findings: boolean };
export const NOTHING_SAID: Said = { checks: false, findings: false };

export type JournalState = {
  cursor: Cursor;
  /** By which the segment is known again. */
  head: Head;
  runs: Readonly<Record<string, RunState>>;
};

export type ExportState = {
  schema: 1;
  /** Since when it counts. */
  since: number;
  /** By the project's id. */
  journals: Readonly<Record<string, JournalState>>;
  series: SeriesTable;
};

const isRunState = hasShape<RunState>({
  began: isText,
  part: isText,
  since: isTime,
  over: isFlag,
  work: isTableOf(isTime),
  waits: orNull(isTime),
  said: hasShape<Said>({ checks: isFlag, findings: isFlag }),
  tokens: orNull(isNumber),
  reviewTokens: isNumber,
});

const isExportState = hasShape<ExportState>({
  schema: isOneOf(1),
  since: isTime,
  journals: isTableOf(
    hasShape<JournalState>({ cursor: isCursor, head: isHead, runs: isTableOf(isRunState) }),
  ),
  series: isSeriesTable,
});

/** What nobody has got anything of yet has counted nothing since now. */
export function readState(base: string, env: Environment, now: number): ExportState {
  const place = placeOf(base);
  const known = readUserRecord(env, place, isExportState);
  if (known !== null) return known;
  if (!hasUserRecord(env, place)) return { schema: 1, since: now, journals: {}, series: {} };
  const file = `${makeUserFolder(env)}/${place}`;
  throw new NotNow(
    `${file}, which says how far ${base} has got everything, cannot be read. To send all that is kept once more, with counts from 0: rm ${shellQuote(file)}`,
  );
}

export function saveState(base: string, state: ExportState, env: Environment): void {
  changeUserRecord(env, placeOf(base), isExportState, () => state);
}

/** Held for as long as an exporter works: two would send the same lines twice. */
export const lockOf = (base: string): string => `${placeOf(base)}.lock`;

const placeOf = (base: string): string =>
  `export/${createHash('sha256').update(base).digest('hex').slice(0, 32)}.json`;
