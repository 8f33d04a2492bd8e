// What a client says, in a queue that whoever follows it empties, and a bell for whoever waits for the next word.

import type { HeadlessClient, HeadlessEvent } from '../clients/headless.ts';
import { messageOf } from '../text/message-of.ts';
import type { Ended } from './clock.ts';

export class Listener {
  readonly client: HeadlessClient;
  readonly #queue: HeadlessEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  constructor(client: HeadlessClient) {
    this.client = client;
    void this.#listen();
  }

  /** The process has ended: nothing more will come but what is in the queue. */
  get isOver(): boolean {
    return this.#hasEnded;
  }

  /** It has begun something without being asked: a task in the background woke it, or its limit is over. */
  get hasWork(): boolean {
    return !this.#hasEnded && this.#queue.some(({ kind }) => kind === 'turn' || kind === 'tool');
  }

  next(): HeadlessEvent | null {
    return this.#queue.shift() ?? null;
  }

  /** Wakes at the next word. */
  readonly spoken: Ended = (wake) => {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  };

  /** Wakes when there is something to take. */
  readonly heard: Ended = (wake) => {
    if (this.#queue.length > 0) {
      queueMicrotask(wake);
      return () => {};
    }
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  };

  async #listen(): Promise<void> {
    try {
      for await (const event of this.client.events) {
        this.#push(event);
        if (event.kind === 'ended') break;
      }
      if (!this.#hasEnded) this.#push({ kind: 'ended', code: null, signal: null, trouble: null });
    } catch (error) {
      const said = messageOf(error);
      const trouble = { what: 'unknown', resetsAt: null, said } as const;
      this.#push({ kind: 'ended', code: null, signal: null, trouble });
    }
  }

  #push(event: HeadlessEvent): void {
    if (event.kind === 'ended') this.#hasEnded = true;
    this.#queue.push(event);
    for (const wake of [...this.#waiting]) wake();
    this.#waiting.clear();
  }
}
