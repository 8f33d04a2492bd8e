// What `holdfast run` did for a run, in one line of `holdfast log`.

import type { DriveEntry, DriveEvent } from '../store/journal-lines.ts';

/** A line of a newer version may name an event that is not known here: its own word is shown. */
export function describeDrive({ what, why, until }: DriveEntry): string {
  const said = Object.hasOwn(EVENTS, what) ? EVENTS[what] : what;
  const reason = why === undefined ? '' : ` (${why})`;
  return `${said}${until === undefined ? '' : ` until ${until}`}${reason}`;
}

const EVENTS: Readonly<Record<DriveEvent, string>> = {
  began: '`holdfast run` began',
  'client-began': 'its client began',
  'client-ended': 'its client ended',
  waits: 'it waits',
  left: '`holdfast run` was ended',
  finished: '`holdfast run` is done',
};
