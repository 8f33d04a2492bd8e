// By whom a run was ended while it is driven. Its stops end it in the journal, a person's command puts it down in the
// driver's record; whatever else takes the run away, its agent has done: a command that got past us, files removed by
// hand, another run in its place. With the run goes what it may spend, so that its client is not left to work on.

import type { Seen } from './standing.ts';

/** Between a stop's last write and its line in the journal lies no more; and what is being replaced is there again. */
const GONE_FOR_MS = 3_000;

export class EndedBy {
  readonly #isPersons: () => boolean;
  #wasThere = false;
  #goneSince: number | null = null;
  /** Until then a check or a review of it may run, which may take its files away and have them put back. */
  #busyUntil = 0;

  /** `isPersons`: has a person's command ended it since it is driven? */
  constructor(isPersons: () => boolean) {
    this.#isPersons = isPersons;
  }

  /** The same, with what its agent has done named as such. */
  see(seen: Seen, now: number): Seen {
    const { stand } = seen;
    if (stand.kind === 'none') return seen;
    if (stand.kind !== 'over') {
      this.#wasThere = true;
      this.#goneSince = null;
      const running = seen.sidecar.attempts.filter(({ status }) => status !== 'done');
      this.#busyUntil = Math.max(0, ...running.map(({ deadline }) => deadline));
      return seen;
    }
    const isEnded = stand.outcome !== null && stand.outcome !== 'cancelled';
    if (isEnded || !this.#wasThere || this.#isPersons()) return seen;
    this.#goneSince ??= now;
    return { ...seen, stand: { kind: 'shed' } };
  }

  /** In the middle of a turn: long enough to be no moment between two writes. */
  isSettled(now: number): boolean {
    return this.#goneSince !== null && now - this.#goneSince >= GONE_FOR_MS && now >= this.#busyUntil;
  }
}
