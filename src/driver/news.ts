// What the hook did for the run while the client worked, as it stands in the journal and in the run's notes.

import { runName } from '../engine/context.ts';
import { journalFromEnd } from '../store/journal.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import type { Attempt } from '../store/records.ts';
import type { Report } from './report.ts';
import type { Seen } from './standing.ts';

export class News {
  readonly #report: Report;
  readonly #root: string;
  /** The newest stop that was reported, and those of the same moment. */
  #since: string;
  #seen = new Set<string>();
  #attempts = new Map<string, string>();

  constructor(report: Report, root: string, now: number) {
    this.#report = report;
    this.#root = root;
    this.#since = new Date(now).toISOString();
  }

  /** The run is looked at after the journal: a stop writes its line last, so what the line speaks of is in the state by then. */
  look(run: string | null, lookAtRun: () => Seen): Seen {
    const stops = run === null ? [] : this.#newStops(run);
    const seen = lookAtRun();
    if (run === null) return seen;
    for (const stop of stops)
      this.#report.say({ event: 'stop', answer: stop.answer, stage: seen.stage, why: whyOf(stop) });
    this.#lookAtWork(seen.sidecar.attempts);
    return seen;
  }

  #newStops(run: string): StopEntry[] {
    const found: StopEntry[] = [];
    for (const entry of journalFromEnd(this.#root)) {
      if (entry.time < this.#since) break;
      if (entry.event !== 'stop' || entry.workflow === null || entry.run === null) continue;
      const key = `${entry.time} ${entry.session} ${entry.answer}`;
      if (runName(entry.workflow, entry.run) !== run || this.#seen.has(key)) continue;
      this.#seen.add(key);
      found.push(entry);
    }
    const newest = found[0]?.time;
    if (newest !== undefined && newest > this.#since) {
      this.#since = newest;
      this.#seen = new Set([...this.#seen].filter((key) => key.startsWith(newest)));
    }
    return found.reverse();
  }

  #lookAtWork(attempts: readonly Attempt[]): void {
    const now = new Map(attempts.map((attempt) => [attempt.id, attempt.status]));
    for (const attempt of attempts) {
      if (this.#attempts.get(attempt.id) === attempt.status) continue;
      const name = attempt.work === 'check' ? attempt.check : `${attempt.kind} ${attempt.number}`;
      const status = attempt.status === 'running' ? 'runs' : attempt.status;
      this.#report.say({ event: 'work', what: attempt.work, name, status });
    }
    this.#attempts = now;
  }
}

/** The name of what was said, which is one of our own words. */
function whyOf({ step, error }: StopEntry): string {
  if (error !== null) return 'an error of our own';
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return '';
  const { message, notice } = step as { message?: unknown; notice?: unknown };
  const named = message ?? notice;
  if (typeof named !== 'object' || named === null || !('name' in named)) return '';
  return typeof named.name === 'string' ? named.name : '';
}
