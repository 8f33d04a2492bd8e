// The next batch: as many lines as one sending takes, from where the collector has everything, and how it all stands once
// the collector has these too. Nothing is changed here: a batch that is never sent never was.

import { createHash } from 'node:crypto';
import { type Cursor, journalFrom } from '../store/journal-forward.ts';
import type { SpanData } from './emitted.ts';
import { findAgain, headAt } from './head.ts';
import { projectId, type Sender } from './ids.ts';
import { type FromLine, type LogData, ofLine } from './of-line.ts';
import { Runs } from './runs.ts';
import { Counter } from './series.ts';
import type { ExportState, JournalState } from './state.ts';
import { timeOf } from './words.ts';

export type Wanted = {
  sender: Sender;
  /** Real paths of the projects. */
  roots: readonly string[];
  /** Lines before it are passed over. */
  since: number | null;
  paths: boolean;
  /** How many lines at most. */
  lines: number;
};

export type Batch = {
  lines: number;
  /** How many projects they are of. */
  projects: number;
  spans: readonly SpanData[];
  logs: readonly LogData[];
  /** How it stands once the collector has them. */
  next: ExportState;
  /** There may be more than this. */
  more: boolean;
};

export function collect(state: ExportState, wanted: Wanted): Batch {
  const counter = new Counter(state.series);
  const found: FromLine[] = [];
  const journals = new Map(Object.entries(state.journals));
  let left = wanted.lines;
  let projects = 0;
  for (const root of wanted.roots) {
    if (left === 0) break;
    const project = projectId(wanted.sender, root);
    const read = readJournal(
      root,
      project,
      journals.get(project) ?? null,
      { ...wanted, lines: left },
      counter,
    );
    if (read === null) continue;
    journals.set(project, read.journal);
    found.push(...read.found);
    left -= read.lines;
    projects += 1;
  }
  for (const { counts } of found) for (const counted of counts) counter.add(...counted);
  return {
    ...{ lines: wanted.lines - left, projects, more: left === 0 },
    spans: found.flatMap(({ spans }) => spans),
    logs: found.map(({ log }) => log),
    next: { ...state, journals: Object.fromEntries(journals), series: counter.table },
  };
}

type Read = { journal: JournalState; found: readonly FromLine[]; lines: number };

/** Null: nothing was added. */
function readJournal(
  root: string,
  project: string,
  known: JournalState | null,
  { sender, since, paths, lines }: Wanted,
  counter: Counter,
): Read | null {
  const runs = new Runs(known?.runs ?? {}, sender, project);
  const reading = { sender, project, root, paths, runs };
  const found: FromLine[] = [];
  let cursor: Cursor | null = null;
  let count = 0;
  for (const { entry, text, position, next } of journalFrom(
    root,
    known && findAgain(root, known.cursor, known.head),
  )) {
    cursor = next;
    count += 1;
    const time = entry === null ? null : timeOf(entry.time);
    if (entry === null || time === null) counter.add('unreadable', 1, { 'holdfast.project': project });
    else {
      const line = ofLine(entry, keyOf(position, text ?? ''), time, reading);
      // What came before it still says which run a line belongs to.
      if (since === null || time >= since) found.push(line);
    }
    if (count === lines) break;
  }
  if (cursor === null) return null;
  return { journal: { cursor, head: headAt(root, cursor), runs: runs.table }, found, lines: count };
}

/** The same whenever the line is read. Its text too: places are taken again where somebody removed the journal. */
function keyOf({ segment, offset }: { segment: number; offset: number }, text: string): string {
  return createHash('sha256').update(`${segment} ${offset} ${text}`).digest('hex').slice(0, 32);
}
