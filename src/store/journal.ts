// The journal: a line for each event, appended and never rewritten, read from its end. It holds derived values and
// fingerprints, never the contents of a message or a file, but for the first line of a run's task. Written is always
// `.holdfast/journal.jsonl`, so that a stop need not look for it; once that is long enough it becomes the next segment,
// `.holdfast/journal/<number>.jsonl`, and the oldest segments go.

import fs from 'node:fs';
import { linesFromEnd } from '../text/backward.ts';
import { appendLine, carryOut, Refused } from './files.ts';
import { homeOf, journalFolder, journalPath } from './home.ts';
import { isJournalLine, type JournalEntry, parseJournalLine } from './journal-lines.ts';
import { openInsideNoLink } from './open.ts';
import { folderOf, privateMode } from './owner.ts';
import { below } from './paths.ts';

const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Far more than a journal of ours ever has: one that came with a repository may be of any length. */
const READ_OF_ONE_FILE = 64 * 1024 * 1024;
const READ_AT_MOST = 1024 * 1024 * 1024;

/**
 * In one write, so that lines of one stop stand together. Not synced: it is an audit, no decision rests on its last
 * line, and a sync would cost every stop.
 */
export function appendToJournal(root: string, ...entries: readonly JournalEntry[]): void {
  const file = journalPath(homeOf(root));
  if (isLink(file))
    throw new Refused(`${file} is a link, and the journal is not written through one; remove it`);
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n');
  appendLine(file, lines, root, { mode: privateMode(homeOf(root)), durable: false });
}

export type Keep = { bytes: number; segmentBytes?: number };

/**
 * Called under the lock: of two that do this at once, the second would overwrite the first one's segment. Whoever has
 * the file open meanwhile writes the end of the segment: nothing is lost.
 */
export function keepJournalWithin(root: string, { bytes, segmentBytes = SEGMENT_BYTES }: Keep): void {
  const file = journalPath(homeOf(root));
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  // Where little is kept, a segment is smaller too: one that is never closed is never removed.
  const most = Math.min(segmentBytes, bytes / 2);
  if (!found?.isFile() || found.size <= most) return;
  const folder = journalFolder(homeOf(root));
  if (isLink(folder))
    throw new Refused(`${folder} is a link, and the journal is not kept behind one; remove it`);
  const number = (numbersIn(folder)[0] ?? 0) + 1;
  // A repository may bring one with the last number there is: then the journal grows, and nothing is overwritten.
  if (number > LAST_NUMBER) throw new Refused(`${folder} has no number left; move it away`);
  carryOut({ kind: 'move', from: file, to: segmentPath(folder, number) }, root);
  removeOldest(root, bytes - most);
}

/** Entries from the newest to the oldest, over all segments; lines that are torn or broken are passed over. */
export function* journalFromEnd(root: string): Generator<JournalEntry> {
  const home = homeOf(root);
  let left = READ_AT_MOST;
  let current: number | null = null;
  for (const file of filesFromNewest(home, () => current)) {
    const descriptor = openJournal(file);
    if (descriptor === null) continue;
    try {
      const { ino, size } = fs.fstatSync(descriptor);
      if (file === journalPath(home)) current = ino;
      const limit = Math.min(left, READ_OF_ONE_FILE);
      yield* entriesIn(descriptor, limit);
      left -= Math.min(size, limit);
    } finally {
      fs.closeSync(descriptor);
    }
    if (left <= 0) return;
  }
}

/** Every file of the journal that is there, the newest first. */
export function journalFiles(root: string): string[] {
  return [...filesFromNewest(homeOf(root), () => null)].filter(
    (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === true,
  );
}

/** False: it is not empty, and nothing in it is a line of any Holdfast's. */
export function holdsJournal(file: string): boolean {
  const descriptor = openJournal(file);
  if (descriptor === null) return true;
  try {
    if (fs.fstatSync(descriptor).size === 0) return true;
    for (const { text } of linesFromEnd(descriptor, READ_OF_ONE_FILE)) if (isJournalLine(text)) return true;
    return false;
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Segments are listed only when somebody reads beyond the current file. That one may have become a segment in the
 * meantime, with others after it: they all come before what was read, so they are left out.
 */
function* filesFromNewest(home: string, current: () => number | null): Generator<string> {
  yield journalPath(home);
  const folder = journalFolder(home);
  const segments = numbersIn(folder).map((number) => segmentPath(folder, number));
  const read = current();
  const seen = read === null ? -1 : segments.findIndex((file) => inodeOf(file) === read);
  yield* segments.slice(seen + 1);
  // Up to 0.2 there were two files.
  yield `${journalPath(home)}.1`;
}

function* entriesIn(descriptor: number, limit: number): Generator<JournalEntry> {
  for (const line of linesFromEnd(descriptor, limit)) {
    const entry = parseJournalLine(line.text);
    if (entry !== null) yield entry;
  }
}

/** The newest closed segment always stays, however long somebody made it. */
function removeOldest(root: string, bytes: number): void {
  const [newest = '', ...older] = journalFiles(root).filter((file) => file !== journalPath(homeOf(root)));
  let kept = sizeOf(newest);
  for (const file of older) {
    kept += sizeOf(file);
    if (kept > bytes) carryOut({ kind: 'remove', path: file }, root);
  }
}

const LAST_NUMBER = 99_999_999;
const SEGMENT = /^(\d{8})\.jsonl$/;

export const segmentPath = (folder: string, number: number): string =>
  below(folder, `${String(number).padStart(8, '0')}.jsonl`);

/** From the highest; none where a link or a file is in the folder's place. */
export function numbersIn(folder: string): number[] {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => Number(SEGMENT.exec(name)?.[1] ?? 0) || [])
    .sort((one, other) => other - one);
}

function inodeOf(file: string): number | null {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.ino ?? null;
}

function sizeOf(file: string): number {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A link in its place came with the repository and says nothing of ours. */
export function openJournal(file: string): number | null {
  const root = file.slice(0, file.lastIndexOf('/.holdfast/') + 1) || folderOf(file);
  return isLink(file) ? null : openInsideNoLink(file, root);
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
