// Which trace and span a line belongs to. A run's trace begins with its first line; each part of it, from its start or
// from when it was taken up again to its end, is one span above all others. That span is sent when the part is over,
// under the id that was known from its first line on.

import type { JournalEntry } from '../store/journal-lines.ts';
import { type Sender, spanId, traceId } from './ids.ts';
import { NOTHING_SAID, type RunState } from './state.ts';

export type Place = { trace: string; parent: string };

/** How many are remembered of a project. Of one that comes back after so many others a new trace begins. */
const MOST_RUNS = 50;

export class Runs {
  readonly #runs: Map<string, RunState>;
  readonly #sender: Sender;
  readonly #project: string;

  constructor(runs: Readonly<Record<string, RunState>>, sender: Sender, project: string) {
    this.#runs = new Map(Object.entries(runs));
    this.#sender = sender;
    this.#project = project;
  }

  /** The run that a line is about, as it stands before this line is dealt with. */
  at(entry: JournalEntry, name: string, key: string, time: number): RunState {
    const known = this.#runs.get(name);
    if (known === undefined || entry.event === 'start')
      return {
        ...{ began: key, part: key, since: time, over: false },
        ...{ work: {}, waits: null, said: NOTHING_SAID },
        ...{ tokens: entry.event === 'start' ? 0 : null, reviewTokens: 0 },
      };
    return known.over && goesOn(entry) ? { ...known, part: key, since: time, over: false } : known;
  }

  keep(name: string, run: RunState): void {
    // The one that moved last is the last to be forgotten.
    this.#runs.delete(name);
    this.#runs.set(name, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
  }

  placeOf(name: string, run: RunState): Place {
    const trace = traceId(this.#sender, this.#project, name, run.began);
    return { trace, parent: spanId(trace, run.part, 'run') };
  }

  get table(): Readonly<Record<string, RunState>> {
    return Object.fromEntries(this.#runs);
  }
}

/** A run that was over is taken up again. The last stop of one that was cancelled is not that: it is allowed. */
function goesOn(entry: JournalEntry): boolean {
  return entry.event === 'adopt' || (entry.event === 'stop' && entry.answer === 'hold');
}
