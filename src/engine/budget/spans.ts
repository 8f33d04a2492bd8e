// How long a client worked, as spans: one begins at a prompt, a hold or a start, and ends where something says so: a
// stop, a turn that failed, the driver's end of the client. Where nothing does (kill -9, a reboot, Esc, a closed
// terminal) it ended with the agent's own last row. Pure.

import { waitedAtStop } from '../waiting/clock.ts';
import type { Clock, Mark } from './types.ts';

/** Milliseconds in all, none twice. A call that was open where nothing ended it counts to its result, `mostOpen` at most. */
export function worked(marks: readonly Mark[], mostOpen: number): number {
  const inOrder = [...marks].sort((one, other) => one.at - other.at);
  const results = resultsIn(inOrder);
  let total = 0;
  let counted = 0;
  let from: number | null = null;
  let last = 0;
  const end = (at: number): void => {
    if (from !== null) total += Math.max(0, at - Math.max(from, counted));
    if (from !== null) counted = Math.max(counted, at);
    from = null;
  };
  const goOn = (at: number, ...later: readonly number[]): void => {
    last = Math.max(at, ...later, from === null ? at : last);
    from ??= at;
  };
  for (const mark of inOrder) {
    switch (mark.kind) {
      case 'begins':
        end(last);
        goOn(mark.at);
        break;
      case 'holds':
        goOn(mark.at);
        break;
      case 'works':
        goOn(mark.at, ...mark.calls.map((id) => Math.min(results.get(id) ?? mark.at, mark.at + mostOpen)));
        break;
      case 'results':
        break;
      case 'ends':
        end(mark.at);
    }
  }
  end(last);
  return total;
}

function resultsIn(marks: readonly Mark[]): Map<string, number> {
  return new Map(
    marks.flatMap((mark) => (mark.kind === 'results' ? mark.ids.map((id) => [id, mark.at] as const) : [])),
  );
}

/** All that is known of the time since it was last counted. `rows`: what the transcript tells; null: it has no times. */
export function marksUpTo(clock: Clock, rows: readonly Mark[] | null, now: number): Mark[] {
  const { at, still, wakes, marks = [] } = clock;
  const known = [...(rows ?? []), ...marks].filter((mark) => mark.at > at && mark.at <= now);
  const begins: Mark = { at, kind: 'begins' };
  const ends: Mark = { at: now, kind: 'ends' };
  if (still === null) return [begins, ...known, ends];
  const stands: Mark = { at: Math.max(at, still.since), kind: 'ends' };
  if (wakes && (rows !== null || known.length > 0)) return [begins, stands, ...known, ends];
  // Nobody can tell when it was prompted, or what its session does is another run's: it stands still for that wait.
  const goesOn: Mark = { at: still.since + waitedAtStop({ ...still, what: '' }, now), kind: 'begins' };
  return [begins, ...known.filter((mark) => mark.at <= stands.at), stands, goesOn, ends];
}
