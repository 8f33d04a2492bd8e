// By whom a run was ended while it is driven. Its stops and a person's command put it down in the driver's record;
// whatever else takes the run away, its agent has done: a command that got past us, files removed by hand, another run in
// its place, an end that it wrote into the journal itself. With the run goes what it may spend, so that its client is not left to work on.

import type { EndByStop } from '../engine/driver/its-agent.ts';
import type { Attempt } from '../store/records.ts';
import type { Seen } from './standing.ts';

/** What is being replaced is there again by then. */
const GONE_FOR_MS = 3_000;

/** What stands in the user's state folder, where no agent in a sandbox can write. */
type Asked = {
  /** Has a person's command ended the run since it is driven? */
  isPersons(): boolean;
  /** Has a stop? */
  byStop(): EndByStop | undefined;
  /** Is what that attempt prints being kept? Its record in the project is anybody's. */
  isUnderWay(attempt: string): boolean;
};

export class EndedBy {
  readonly #asked: Asked;
  #wasThere = false;
  #goneSince: number | null = null;
  /** A check or a review of it may take its files away, and have them put back. */
  #running: readonly Attempt[] = [];

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** The same, with what its agent has done named as such. */
  see(seen: Seen, now: number): Seen {
    const { stand } = seen;
    if (stand.kind === 'none') return seen;
    if (stand.kind !== 'over') {
      this.#wasThere = true;
      this.#goneSince = null;
      this.#running = seen.sidecar.attempts.filter(({ status }) => status !== 'done');
      return seen;
    }
    const stopped = this.#asked.byStop();
    if (stopped !== undefined)
      return { ...seen, stand: { kind: 'over', outcome: stopped.outcome, worth: stopped.proof } };
    const isEnded = stand.outcome !== null && stand.outcome !== 'cancelled' && !stand.byJournal;
    if (isEnded || !this.#wasThere || this.#asked.isPersons()) return seen;
    this.#goneSince ??= now;
    return { ...seen, stand: { kind: 'shed' } };
  }

  /** In the middle of a turn: long enough to be no moment between two writes. */
  isSettled(now: number): boolean {
    if (this.#goneSince === null || now - this.#goneSince < GONE_FOR_MS) return false;
    return !this.#running.some(({ id, deadline }) => now < deadline && this.#asked.isUnderWay(id));
  }
}
