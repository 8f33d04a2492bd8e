// When anything of a session was last seen: a stop or a command that wrote something down, or its transcript growing.
// Asked by a start only, of the session whose loop is in its way.

import type { Project } from '../../../engine/project.ts';
import { changedAt } from '../../../store/files.ts';
import { sessionPath, sidecarPath } from '../../../store/home.ts';
import { journalFromEnd } from '../../../store/journal.ts';

/** Milliseconds; 0 when there is no trace. A transcript's path comes from our notes and is only looked at. */
export function lastSeen(
  { root, home }: Project,
  run: string,
  sessions: readonly string[],
  transcript: string | null,
): number {
  const files = [sidecarPath(home, run), ...sessions.map((session) => sessionPath(home, session))];
  const times = [...files, ...(transcript === null ? [] : [transcript])].map(changedAt);
  return Math.max(0, ...times, lastStop(root, sessions));
}

/** By the journal, which has a line for every stop, also for one at which nothing else was written. */
function lastStop(root: string, sessions: readonly string[]): number {
  try {
    for (const { session, time } of journalFromEnd(root)) {
      const parsed = Date.parse(time);
      if (session !== null && sessions.includes(session) && !Number.isNaN(parsed)) return parsed;
    }
  } catch {
    // A journal that cannot be read says nothing; the other traces count.
  }
  return 0;
}
