// Events on their way from the client's output to the driver, in order. Where the driver is slower than the client, the
// client is made to wait, so that a flood of events takes no memory.

import type { HeadlessEvent } from '../headless.ts';

const MANY = 1000;

export type Flow = { pause(): void; resume(): void };

export class EventQueue implements AsyncIterable<HeadlessEvent> {
  #events: HeadlessEvent[] = [];
  #wake: () => void = () => {};
  #over = false;
  #isBounded = true;
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** `ended` is the last one; nothing comes after it. */
  push(event: HeadlessEvent): void {
    if (this.#over) return;
    // A row of them says no more than one.
    if (event.kind === 'alive' && this.#events.at(-1)?.kind === 'alive') return;
    this.#events.push(event);
    this.#over = event.kind === 'ended';
    if (this.#isBounded && this.#events.length >= MANY) this.#flow.pause();
    this.#wake();
  }

  /** The client has ended: what it left in the pipe is little, and is taken at once. */
  drain(): void {
    this.#isBounded = false;
    this.#flow.resume();
  }

  /** For one reader. */
  async *[Symbol.asyncIterator](): AsyncGenerator<HeadlessEvent> {
    for (;;) {
      const waiting = this.#events;
      this.#events = [];
      if (waiting.length >= MANY) this.#flow.resume();
      yield* waiting;
      // Looked at again: what came while the last ones were taken belongs to them, and `ended` may be among it.
      if (this.#over && this.#events.length === 0) return;
      if (this.#events.length === 0 && !this.#over)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
