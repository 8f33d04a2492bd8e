// The journal of a project as one history, newest first, whichever version wrote it and however many files it has.

import type { Project } from '../engine/project.ts';
import { NotNow } from '../engine/workflow-cli.ts';
import { journalFromEnd } from '../store/journal.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { troubleWithJournal } from './troubles.ts';

/** Every event. */
export function* history(project: Project, run?: string): Generator<JournalEntry> {
  // Before anything is said of what the journal holds: can it be read at all?
  const trouble = troubleWithJournal(project, 'read');
  if (trouble !== null) throw new NotNow(`${trouble.what}; to fix it, ${trouble.fix}`);
  for (const entry of journalFromEnd(project.root)) if (run === undefined || isAbout(entry, run)) yield entry;
}

/** Stops alone. */
export function* stops(project: Project, run?: string): Generator<StopEntry> {
  for (const entry of history(project, run)) if (entry.event === 'stop') yield entry;
}

export function nameOf(entry: JournalEntry): string | null {
  return entry.workflow === null ? null : `${entry.workflow}:${entry.run ?? ''}`;
}

export function isAbout(entry: JournalEntry, run: string): boolean {
  return nameOf(entry) === run || entry.run === run;
}
