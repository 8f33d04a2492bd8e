// What the lines say that Copilot CLI prints as it works (1.0.102): its own events. Whatever is not known here is passed
// over. A hold of ours stands there as another message of the user, within the same turn.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf, unknownTrouble } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

/** Tool calls whose input is remembered until their end: one that is denied is named by it. */
const MOST_CALLS = 200;

export class CopilotReader implements StreamReader {
  #hasBegun = false;
  readonly #calls = new Map<string, string>();
  #trouble: Trouble | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    const type = entry && textField(entry, 'type');
    if (!entry || type === null) return [];
    const data = objectField(entry, 'data') ?? {};
    switch (type) {
      case 'user.message':
        return this.#begin();
      case 'tool.execution_start':
        return [this.#called(data)];
      case 'tool.execution_complete':
        return this.#over(data);
      case 'session.error':
        this.#trouble = troubleIn(data);
        return [ALIVE];
      case 'result':
        return this.#ofResult(entry);
    }
    return /^(?:session|assistant|model|tool|hook)\./.test(type) ? [ALIVE] : [];
  }

  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#trouble !== null || !failed) return this.#trouble;
    const said = lastLineOf(stderr);
    return said === '' ? null : unknownTrouble(said);
  }

  /** One process is one prompt. */
  #begin(): readonly HeadlessEvent[] {
    if (this.#hasBegun) return [ALIVE];
    this.#hasBegun = true;
    return [{ kind: 'turn' }];
  }

  #called(data: Payload): HeadlessEvent {
    const name = inOneParagraph(textField(data, 'toolName') ?? 'a tool', 80);
    const id = textField(data, 'toolCallId');
    if (id !== null) this.#calls.set(id, describeCall(name, objectField(data, 'arguments')));
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return { kind: 'tool', name };
  }

  #over(data: Payload): readonly HeadlessEvent[] {
    const id = textField(data, 'toolCallId') ?? '';
    const what = this.#calls.get(id);
    this.#calls.delete(id);
    if (objectField(data, 'error')?.code !== 'denied') return [ALIVE];
    return [{ kind: 'denied', what: what ?? 'a tool' }];
  }

  /** The first line that names the session, which is ours to choose. What it says of money is none: requests. */
  #ofResult(entry: Payload): readonly HeadlessEvent[] {
    const id = textField(entry, 'sessionId');
    const isOk = entry.exitCode === 0;
    if (isOk) this.#trouble = null;
    return [
      ...(id === null ? [] : [{ kind: 'session', id } as const]),
      { kind: 'result', ok: isOk, usd: null, trouble: this.#trouble },
    ];
  }
}

/** As a rule of its command line names it: `shell(npm test)`. */
function describeCall(name: string, input: Payload | null): string {
  const command = input && textField(input, 'command');
  const what = command ?? (input && textField(input, 'path')) ?? null;
  const kind = command === null ? name : 'shell';
  return what === null ? name : `${kind}(${inOneParagraph(what.slice(0, 2000), 200)})`;
}
