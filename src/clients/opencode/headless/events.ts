// What the lines say that opencode prints as it works (1.18.33), and our plugin among them. Whatever is not known here is
// passed over. A turn's end is no event, since a hold goes on where a step has ended: it is known when the process ends.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf, unknownTrouble } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleOfError, troubleOfRetry } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

/** Its list of things to do is no work. */
const bookkeeping = new Set(['todowrite', 'todoread']);

/** It makes a summary and tries again by itself; a summary that does not help is made again and again. */
const MOST_OVERFLOWS = 3;

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

export class OpencodeReader implements StreamReader {
  #session: string | null = null;
  #usd: number | null = null;
  /** The last step has ended the turn. */
  #hasStopped = false;
  #error: Payload | null = null;
  /** In a row: the steps in between make the summaries. */
  #overflows = 0;
  /** The driver was told that it does not go on. */
  #isInTrouble = false;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    if (entry === null) return [];
    return [...this.#sessionOf(entry), ...this.#eventsOf(entry)];
  }

  ended(): readonly HeadlessEvent[] {
    if (this.#error !== null) return [this.#result(troubleOfError(this.#error))];
    return this.#hasStopped ? [this.#result(null)] : [];
  }

  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#error !== null) return troubleOfError(this.#error);
    const said = failed && !this.#hasStopped ? lastLineOf(stderr.replaceAll(COLOURS, '')) : '';
    return said === '' ? null : unknownTrouble(said);
  }

  #eventsOf(entry: Payload): readonly HeadlessEvent[] {
    const part = objectField(entry, 'part') ?? {};
    switch (entry.type) {
      case 'step_start':
        return [this.#begun()];
      case 'tool_use':
        this.#overflows = 0;
        return toolOf(part);
      case 'step_finish':
        this.#hasStopped = part.reason === 'stop';
        return [ALIVE];
      case 'text':
      case 'reasoning':
        return [ALIVE];
      case 'error':
        return this.#failed(objectField(entry, 'error') ?? {});
      case 'holdfast':
        return this.#ofPlugin(entry);
    }
    return [];
  }

  /** After a trouble it has gone on by itself, which is a turn of its own to whoever waits. */
  #begun(): HeadlessEvent {
    const wasInTrouble = this.#isInTrouble;
    this.#isInTrouble = false;
    this.#hasStopped = false;
    this.#error = null;
    return wasInTrouble ? { kind: 'turn' } : ALIVE;
  }

  #failed(error: Payload): readonly HeadlessEvent[] {
    this.#error = error;
    if (error.name === 'ContextOverflowError') this.#overflows++;
    return this.#overflows < MOST_OVERFLOWS ? [ALIVE] : this.#inTrouble(troubleOfError(error));
  }

  #ofPlugin(entry: Payload): readonly HeadlessEvent[] {
    if (typeof entry.cost === 'number') this.#usd = entry.cost;
    const retry = objectField(entry, 'retry');
    const trouble = retry && troubleOfRetry(retry, Date.now());
    return trouble === null ? [ALIVE] : this.#inTrouble(trouble);
  }

  /** Once: it goes on trying meanwhile. */
  #inTrouble(trouble: Trouble): readonly HeadlessEvent[] {
    if (this.#isInTrouble) return [ALIVE];
    this.#isInTrouble = true;
    return [this.#result(trouble)];
  }

  #result(trouble: Trouble | null): HeadlessEvent {
    return { kind: 'result', ok: trouble === null, usd: this.#usd, trouble };
  }

  /** Each line names it. */
  #sessionOf(entry: Payload): readonly HeadlessEvent[] {
    const id = textField(entry, 'sessionID');
    if (id === null || this.#session !== null) return [];
    this.#session = id;
    return [{ kind: 'session', id }, { kind: 'turn' }];
  }
}

/** It prints a call when it is over. */
function toolOf(part: Payload): readonly HeadlessEvent[] {
  const name = inOneParagraph(textField(part, 'tool') ?? 'a tool', 80);
  const state = objectField(part, 'state') ?? {};
  const isDenied = /^The user has specified a rule which prevents/.test(textField(state, 'error') ?? '');
  const done: HeadlessEvent = bookkeeping.has(name) ? ALIVE : { kind: 'tool', name };
  return isDenied
    ? [done, { kind: 'denied', what: describeCall(name, objectField(state, 'input')) }]
    : [done];
}

function describeCall(name: string, input: Payload | null): string {
  const what = ['command', 'filePath', 'url'].flatMap((field) => (input && textField(input, field)) ?? [])[0];
  return what === undefined ? name : `${name}(${inOneParagraph(what.slice(0, 2000), 200)})`;
}
