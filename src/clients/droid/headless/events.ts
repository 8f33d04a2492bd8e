// What the lines say that Droid prints as it works (0.225.2). Whatever is not known here is passed over. A hold of ours is
// a message of the user's: the turn goes on.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf, unknownTrouble } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

export class DroidReader implements StreamReader {
  /** What each call would do, until its result. */
  readonly #calls = new Map<string, string>();
  #trouble: Trouble | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    if (entry === null) return [];
    switch (entry.type) {
      case 'system':
        return begun(entry);
      case 'message':
        return [ALIVE];
      case 'tool_call':
        return this.#called(entry);
      case 'tool_result':
        return this.#done(entry);
      case 'completion':
        this.#trouble = null;
        return [{ kind: 'result', ok: true, usd: null, trouble: null }];
      case 'error':
        return this.#failed(entry);
    }
    return [];
  }

  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#trouble !== null || !failed) return this.#trouble;
    const said = lastLineOf(stderr);
    return said === '' ? null : unknownTrouble(said);
  }

  /** A second one, of its command line, says less. */
  #failed(entry: Payload): readonly HeadlessEvent[] {
    if (this.#trouble !== null) return [ALIVE];
    this.#trouble = troubleIn(textField(entry, 'message') ?? 'The turn failed.');
    return [{ kind: 'result', ok: false, usd: null, trouble: this.#trouble }];
  }

  #called(entry: Payload): readonly HeadlessEvent[] {
    const name = inOneParagraph(textField(entry, 'toolName') ?? 'a tool', 80);
    const id = textField(entry, 'id');
    if (id !== null) this.#calls.set(id, describeCall(name, objectField(entry, 'parameters')));
    return [name === 'TodoWrite' ? ALIVE : { kind: 'tool', name }];
  }

  #done(entry: Payload): readonly HeadlessEvent[] {
    const id = textField(entry, 'id') ?? '';
    const what = this.#calls.get(id) ?? 'a tool';
    this.#calls.delete(id);
    const said = textField(objectField(entry, 'error') ?? {}, 'message') ?? '';
    return DENIED.test(said) ? [{ kind: 'denied', what }] : [ALIVE];
  }
}

/** By its sandbox, or because there is none. What a command itself met there is part of its output. */
const DENIED =
  /^Sandbox: |^Error: Error executing command: Sandbox unavailable|insufficient permission to proceed/;

function begun(entry: Payload): readonly HeadlessEvent[] {
  const id = textField(entry, 'session_id');
  return id === null || entry.subtype !== 'init' ? [] : [{ kind: 'session', id }, { kind: 'turn' }];
}

function describeCall(name: string, input: Payload | null): string {
  const what = ['command', 'file_path', 'url'].flatMap(
    (field) => (input && textField(input, field)) ?? [],
  )[0];
  return what === undefined ? name : `${name}(${inOneParagraph(what.slice(0, 2000), 200)})`;
}
