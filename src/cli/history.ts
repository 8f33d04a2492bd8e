// The journal of a project as one history: the current file and the rotated one before it, newest first.

import type { Project } from '../engine/project.ts';
import { NotNow } from '../engine/workflow-cli.ts';
import { journalPath } from '../store/home.ts';
import { entriesFromEnd, type JournalEntry } from '../store/journal.ts';
import { troubleWithJournal } from './troubles.ts';

export function* history(project: Project, run?: string): Generator<JournalEntry> {
  // Before anything is said of what the journal holds: can it be read at all?
  const trouble = troubleWithJournal(project, 'read');
  if (trouble !== null) throw new NotNow(`${trouble.what}; to fix it, ${trouble.fix}`);
  const file = journalPath(project.home);
  for (const part of [file, `${file}.1`])
    for (const entry of entriesFromEnd(part)) if (run === undefined || isAbout(entry, run)) yield entry;
}

export function nameOf(entry: JournalEntry): string | null {
  return entry.workflow === null ? null : `${entry.workflow}:${entry.run ?? ''}`;
}

function isAbout(entry: JournalEntry, run: string): boolean {
  return nameOf(entry) === run || entry.run === run;
}
