// The driver's clock. What is left of a wait is asked again and again, so that a machine that slept wakes to the right
// time, a clock that is set back makes no wait longer, and tests can let a night pass in a second.

import type { DriverRecord } from './record.ts';

export type Clock = {
  /** Milliseconds since 1970, by the machine's clock, which may be set to another time. */
  now(): number;
  /** Milliseconds that only grow, whatever the machine's clock is set to. Those of its sleep may be missing. */
  passed(): number;
  /** For as long as something is left, or until `ended` was called. */
  wait(left: () => number, ended: Ended): Promise<void>;
  /** A short while, after which whoever follows a client looks around; sooner when `ended` was called. */
  beat(ended: Ended): Promise<void>;
};

/** Calls back once when there is something else to do than to wait. Answers with how to listen no more. */
export type Ended = (wake: () => void) => () => void;

const BEAT_MS = 1_000;

export const realClock: Clock = {
  now: () => Date.now(),
  passed: () => performance.now(),
  async wait(left, ended) {
    let isOver = false;
    const forget = ended(() => {
      isOver = true;
    });
    for (let more = left(); !isOver && more > 0; more = left()) await pause(Math.min(BEAT_MS, more), ended);
    forget();
  },
  beat: (ended) => pause(BEAT_MS, ended),
};

/** Whatever a client or a record says, no wait is longer: a weekly limit, with a day to spare. */
export const LONGEST_WAIT = 8 * 24 * 60 * 60 * 1000;

/**
 * When a wait that is on record is over. It is no longer than it was meant to be, also where the machine's clock was ahead
 * when it was noted and has been set back since.
 */
export function timeToGoOn({ at, since }: DriverRecord['next'], now: number): number | null {
  return at === null ? null : Math.min(at, now + LONGEST_WAIT, now + at - (since ?? now));
}

/** What is left until then: by the machine's clock, or by what has passed since now, whichever is over first. */
export function leftUntil(at: number, clock: Clock): () => number {
  const meant = at - clock.now();
  const from = clock.passed();
  return () => Math.min(at - clock.now(), meant - (clock.passed() - from));
}

/** No longer than so many milliseconds of real time. */
export function pause(ms: number, ended: Ended): Promise<void> {
  return new Promise((resolve) => {
    let forget = (): void => {};
    const timer = setTimeout(done, Math.max(0, ms));
    function done(): void {
      clearTimeout(timer);
      forget();
      resolve();
    }
    forget = ended(done);
  });
}

/** Something that happens once, and whoever comes later is told at once. */
export class Bell {
  #rung = false;
  readonly #listeners = new Set<() => void>();

  get rung(): boolean {
    return this.#rung;
  }

  ring(): void {
    this.#rung = true;
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  readonly ended: Ended = (wake) => {
    if (this.#rung) {
      queueMicrotask(wake);
      return () => {};
    }
    this.#listeners.add(wake);
    return () => this.#listeners.delete(wake);
  };
}

/** The first of several. */
export function anyOf(...all: readonly Ended[]): Ended {
  return (wake) => {
    const forgets = all.map((ended) => ended(wake));
    return () => {
      for (const forget of forgets) forget();
    };
  };
}
