// The driver's clock. Waits are re-read from it, so that a machine that slept wakes to the right time, and tests can
// let a night pass in a second.

export type Clock = {
  /** Milliseconds. */
  now(): number;
  /** Until it is that late, or `ended` was called. */
  waitUntil(time: number, ended: Ended): Promise<void>;
  /** A short while, after which whoever follows a client looks around; sooner when `ended` was called. */
  beat(ended: Ended): Promise<void>;
};

/** Calls back once when there is something else to do than to wait. Answers with how to listen no more. */
export type Ended = (wake: () => void) => () => void;

const BEAT_MS = 1_000;

export const realClock: Clock = {
  now: () => Date.now(),
  async waitUntil(time, ended) {
    let isOver = false;
    const forget = ended(() => {
      isOver = true;
    });
    while (!isOver && Date.now() < time) await pause(Math.min(BEAT_MS, time - Date.now()), ended);
    forget();
  },
  beat: (ended) => pause(BEAT_MS, ended),
};

/** Whatever a client or a record says, no wait is longer: a weekly limit, with a day to spare. */
export const LONGEST_WAIT = 8 * 24 * 60 * 60 * 1000;

/** When a wait that is on record is over. It may have been written when the machine's clock was far ahead. */
export function timeToGoOn(at: number | null, now: number): number | null {
  return at === null ? null : Math.min(at, now + LONGEST_WAIT);
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
