// What comes of lines about what happens between two stops: work that was begun or ended, waits.

import type { WaitEntry, WorkEntry } from '../store/journal-events.ts';
import { countCheck } from './counts.ts';
import type { Emitted, RunLine } from './emitted.ts';
import { spanId } from './ids.ts';
import type { RunState } from './state.ts';
import { durationOf, word } from './words.ts';

export function ofWork(line: RunLine<WorkEntry>): Emitted {
  const { entry, time, run } = line;
  if (entry.what === 'began') return { spans: [], counts: [], run: withWork(run, entry.attempt, time) };
  const done = withoutWork(run, entry.attempt);
  // A review's end is a line of its own.
  if (entry.work === 'review') return { spans: [], counts: [], run: done };
  return checkEnded({ ...line, entry }, { ...done, said: { ...done.said, checks: true } });
}

/** No more than a stop ever has at once; work whose hook was killed is not ended by any line. */
const MOST_WORK = 8;

function withWork(run: RunState, attempt: string, time: number): RunState {
  const all = [...Object.entries(run.work).filter(([known]) => known !== attempt), [attempt, time] as const];
  return { ...run, work: Object.fromEntries(all.slice(-MOST_WORK)) };
}

export function withoutWork(run: RunState, attempt: string): RunState {
  return {
    ...run,
    work: Object.fromEntries(Object.entries(run.work).filter(([known]) => known !== attempt)),
  };
}

type Ended = Extract<WorkEntry, { what: 'ended' }>;

function checkEnded(
  { entry, key, time, place, about, labels, run }: RunLine<Ended>,
  next: RunState,
): Emitted {
  const milliseconds = durationOf(entry.milliseconds);
  const began = Object.hasOwn(run.work, entry.attempt) ? run.work[entry.attempt] : undefined;
  const start = began ?? time - milliseconds;
  const what = { 'holdfast.check': word(entry.name), 'holdfast.check.end': word(entry.end) };
  return {
    spans: [
      {
        ...{ trace: place.trace, id: spanId(place.trace, key, 'check'), parent: place.parent, name: 'check' },
        ...{
          start,
          end: start + milliseconds,
          isCall: true,
          error: entry.end === 'passed' ? null : word(entry.end),
        },
        attributes: {
          ...about,
          ...what,
          ...(entry.code === null ? {} : { 'process.exit.code': entry.code }),
        },
      },
    ],
    counts: countCheck({ ...entry, from: 'run' }, labels),
    run: next,
  };
}

export function ofWait({ entry, key, time, place, about, labels, run }: RunLine<WaitEntry>): Emitted {
  if (entry.what === 'began') return { spans: [], counts: [], run: { ...run, waits: time } };
  // Its begin has no line: it began under an earlier version, and the stop before has said that it is over.
  if (run.waits === null) return { spans: [], counts: [], run };
  const what = { 'holdfast.wait.for': entry.for };
  return {
    spans: [
      {
        ...{ trace: place.trace, id: spanId(place.trace, key, 'wait'), parent: place.parent, name: 'wait' },
        ...{ start: Math.min(run.waits, time), end: time, isCall: false, error: null },
        attributes: { ...about, ...what },
      },
    ],
    counts: [['waits', 1, { ...labels, ...what }]],
    run: { ...run, waits: null },
  };
}
