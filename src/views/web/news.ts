// What the open pages are sent: each change is read once for all of them, and what did not change is not sent again.

import type { Source } from '../source.ts';
import { withDiagram } from './diagrams.ts';

export type Message = { event: 'runs' | 'run' | 'gone'; data: string };

export type Listener = {
  /** The run whose page is open; null: the overview. */
  run: string | null;
  send(message: Message): Promise<void>;
};

export class News {
  readonly #source: Source;
  readonly #pages = new Map<Listener, OpenPage>();
  #unwatch: (() => void) | null = null;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Nothing is watched while no page is open. */
  async add(listener: Listener): Promise<void> {
    this.#pages.set(listener, new OpenPage(listener));
    this.#unwatch ??= this.#source.watch(() => void this.#changed().catch(() => {}));
    await this.#changed();
  }

  remove(listener: Listener): void {
    this.#pages.delete(listener);
    if (this.#pages.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = null;
  }

  /** One reading at a time; what changes meanwhile is read once more after it. */
  async #changed(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isStale && this.#pages.size > 0) {
      this.#isStale = false;
      const runs: Message = { event: 'runs', data: JSON.stringify(this.#source.overview()) };
      const known = new Map<string, Message>();
      for (const page of this.#pages.values()) {
        page.offer(runs);
        const { run } = page.listener;
        if (run === null) continue;
        const message = known.get(run) ?? (await this.#pageOf(run));
        known.set(run, message);
        page.offer(message);
      }
    }
  }

  async #pageOf(run: string): Promise<Message> {
    const page = await this.#source.run(run);
    return page === null
      ? { event: 'gone', data: '{}' }
      : { event: 'run', data: JSON.stringify(withDiagram(page)) };
  }
}

/** A page that reads slowly skips what is overtaken: at most one message of a kind waits for it. */
class OpenPage {
  readonly listener: Listener;
  readonly #sent = new Map<Message['event'], string>();
  readonly #waiting = new Map<Message['event'], Message>();
  #isSending = false;

  constructor(listener: Listener) {
    this.listener = listener;
  }

  offer(message: Message): void {
    this.#waiting.set(message.event, message);
    if (!this.#isSending) void this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      if (this.#sent.get(next.event) === next.data) continue;
      this.#sent.set(next.event, next.data);
      // A page that was closed is removed by whoever sees it close.
      await this.listener.send(next).catch(() => {});
    }
    this.#isSending = false;
  }

  #take(): Message | undefined {
    const [next] = this.#waiting.values();
    if (next !== undefined) this.#waiting.delete(next.event);
    return next;
  }
}
