// The driver's own lines in the project's journal. One that cannot be written never stops a run.

import { ensureHome } from '../store/home.ts';
import { appendToJournal } from '../store/journal.ts';
import type { DriveEntry, DriveEvent } from '../store/journal-lines.ts';
import type { DriverRecord } from './record.ts';

export function journalDrive(
  { root, run, workflow, session }: DriverRecord,
  now: number,
  what: DriveEvent,
  more: Pick<DriveEntry, 'why' | 'until'> = {},
): void {
  const id = run === null ? null : run.slice(run.indexOf(':') + 1);
  const time = new Date(now).toISOString();
  try {
    ensureHome(root);
    appendToJournal(root, { schema: 2, time, event: 'drive', session, workflow, run: id, what, ...more });
  } catch {
    // As said above.
  }
}
