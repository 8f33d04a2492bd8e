// One exporter at work for one collector: batch by batch, each sent and only then written down as sent.

import type { Environment } from '../store/environment.ts';
import { knownProjects } from '../store/projects.ts';
import { type Batch, collect } from './collect.ts';
import { type Delivery, deliver, type Patience } from './deliver.ts';
import type { Encoding, Otlp } from './encoding.ts';
import type { Sender } from './ids.ts';
import { send } from './send.ts';
import type { Settings, Signal } from './settings.ts';
import { type ExportState, saveState } from './state.ts';

/** What happened to a batch. `none`: there was nothing to send. */
export type Outcome =
  | { kind: 'none' }
  | { kind: 'sent'; batch: Batch }
  | { kind: 'failed'; why: string; isFinal: boolean };

export type Outside = {
  env: Environment;
  clock(): number;
  /** False: it was cut short. */
  pause(ms: number): Promise<boolean>;
  warn(line: string): void;
};

const MOST_LINES = 500;

export class ExportSession {
  #state: ExportState;
  #lines = MOST_LINES;
  readonly #sender: Sender;
  readonly #settings: Settings;
  readonly #otlp: Otlp;
  readonly #encoding: Encoding;
  readonly #patience: Patience;
  readonly #outside: Outside;

  constructor(
    state: ExportState,
    sender: Sender,
    settings: Settings,
    otlp: Otlp,
    patience: Patience,
    outside: Outside,
  ) {
    this.#state = state;
    this.#sender = sender;
    this.#settings = settings;
    this.#otlp = otlp;
    this.#encoding = otlp.makeEncoder(sender.instance, settings.attributes);
    this.#patience = patience;
    this.#outside = outside;
  }

  /** The next batch, if there is one. */
  async sendNext(): Promise<Outcome> {
    const { env } = this.#outside;
    const { since, paths } = this.#settings;
    const wanted = { sender: this.#sender, roots: knownProjects(env), since, paths, lines: this.#lines };
    const batch = collect(this.#state, wanted);
    if (batch.lines === 0) return { kind: 'none' };
    const delivery = await this.#deliverAll(batch);
    if (delivery.kind === 'too-large' && this.#lines > 1) {
      this.#lines = Math.ceil(this.#lines / 2);
      return this.sendNext();
    }
    if (delivery.kind !== 'yes') return failed(delivery);
    // Only now. Whoever is killed before this line is written sends the batch once more, with the same ids and sums.
    saveState(this.#settings.base, batch.next, env);
    this.#state = batch.next;
    return { kind: 'sent', batch };
  }

  /** What was counted so far, once more: a collector forgets a series that it no longer hears of. */
  async sendCounts(): Promise<Outcome> {
    const isWanted = this.#settings.signals.includes('metrics');
    if (!isWanted || Object.keys(this.#state.series).length === 0) return { kind: 'none' };
    const delivery = await this.#deliver('metrics', this.#metrics(this.#state));
    return delivery.kind === 'yes' ? { kind: 'none' } : failed(delivery);
  }

  async #deliverAll({ spans, logs, next }: Batch): Promise<Delivery> {
    const bodies: Readonly<Record<Signal, Uint8Array | null>> = {
      traces: spans.length === 0 ? null : this.#encoding.traces(spans),
      logs: logs.length === 0 ? null : this.#encoding.logs(logs, this.#outside.clock()),
      metrics: Object.keys(next.series).length === 0 ? null : this.#metrics(next),
    };
    for (const signal of this.#settings.signals) {
      const body = bodies[signal];
      const delivery = body === null ? null : await this.#deliver(signal, body);
      if (delivery !== null && delivery.kind !== 'yes') return delivery;
    }
    return { kind: 'yes', refused: null };
  }

  #metrics({ series, since }: ExportState): Uint8Array {
    return this.#encoding.metrics(series, since, this.#outside.clock());
  }

  async #deliver(signal: Signal, body: Uint8Array): Promise<Delivery> {
    const { pause, warn } = this.#outside;
    const delivery = await deliver(
      () => send(signal, body, this.#settings, this.#otlp.readAnswer),
      this.#patience,
      pause,
      (why, ms) => warn(`${this.#settings.base}: ${why}; trying again in ${Math.ceil(ms / 1000)} s`),
    );
    if (delivery.kind === 'yes' && delivery.refused !== null)
      warn(
        `${this.#settings.base} took the ${signal} but for ${delivery.refused.count}, which it does not want: ${delivery.refused.why || 'it does not say why'}`,
      );
    return delivery;
  }
}

function failed(delivery: Exclude<Delivery, { kind: 'yes' }>): Outcome {
  switch (delivery.kind) {
    case 'too-large':
      return { kind: 'failed', why: 'it answered 413: even one event is too large for it', isFinal: true };
    case 'no':
      return { kind: 'failed', why: delivery.why, isFinal: true };
    case 'given-up':
      return { kind: 'failed', why: delivery.why, isFinal: false };
  }
}
