// `.holdfast/journal.jsonl`: one line a stop, appended and never rewritten, read from its end. It holds
// derived values and fingerprints, never the contents of a message or a file.

import fs from 'node:fs';
import { linesFromEnd } from '../text/backward.ts';
import { disk } from './disk.ts';
import { appendLine, openRegular, Refused } from './files.ts';
import { homeOf, journalPath } from './home.ts';
import { isObject, type Json, parseJson } from './json.ts';
import { privateMode } from './owner.ts';

const ROTATE_AT = 8 * 1024 * 1024;
/** Far more than a journal of ours ever has: one that came with a repository may be of any length. */
const READ_AT_MOST = 64 * 1024 * 1024;

export type JournalEntry = {
  time: string;
  event: string;
  client: string;
  session: string | null;
  turn: string | null;
  workflow: string | null;
  run: string | null;
  state: Json;
  facts: Json;
  guard: Json;
  step: Json;
  answer: 'hold' | 'allow';
  /** A review was due, and the stop was let go without one: why. */
  unstepped?: string;
  notice: boolean;
  error: string | null;
  milliseconds: number;
};

/** Not synced: it is an audit, no decision rests on its last line, and a sync would cost every stop. */
export function appendToJournal(root: string, entry: JournalEntry): void {
  const file = journalPath(homeOf(root));
  if (isLink(file))
    throw new Refused(`${file} is a link, and the journal is not written through one; remove it`);
  appendLine(file, JSON.stringify(entry), root, { mode: privateMode(homeOf(root)), durable: false });
}

/** Called under the lock: two that rotate at once would lose one of the two files. */
export function rotateJournal(root: string, at = ROTATE_AT): void {
  const file = journalPath(homeOf(root));
  const found = fs.lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() && found.size > at) disk.rename(file, `${file}.1`);
}

/** Entries from the newest to the oldest; lines that are torn or broken are passed over. */
export function* entriesFromEnd(file: string): Generator<JournalEntry> {
  const descriptor = openJournal(file);
  if (descriptor === null) return;
  try {
    for (const line of linesFromEnd(descriptor, READ_AT_MOST)) {
      const entry = parseJournalLine(line.text);
      if (entry !== null) yield entry;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

export function parseJournalLine(text: string): JournalEntry | null {
  const value = parseJson(text);
  return isObject(value) && isEntry(value) ? value : null;
}

function isEntry(value: object): value is JournalEntry {
  const entry = value as Partial<JournalEntry>;
  return (
    typeof entry.time === 'string' &&
    (entry.answer === 'hold' || entry.answer === 'allow') &&
    textOrNull(entry.session) &&
    textOrNull(entry.workflow) &&
    textOrNull(entry.run) &&
    textOrNull(entry.error)
  );
}

function textOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/** A link in its place came with the repository and tells nothing of ours. */
function openJournal(file: string): number | null {
  return isLink(file) ? null : openRegular(file);
}

function isLink(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
