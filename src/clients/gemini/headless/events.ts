// What the lines say that Gemini CLI prints as it works (0.61.0). Whatever is not known here is passed over. A hold of ours
// is a warning among them: the turn goes on.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** A list of things to do, and a title of them, are no work. */
const bookkeeping = new Set(['write_todos', 'update_topic']);

export class GeminiReader implements StreamReader {
  /** What each call would do, until its result. */
  readonly #calls = new Map<string, string>();
  #failure: string | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    if (entry === null) return [];
    switch (entry.type) {
      case 'init':
        return sessionOf(entry);
      case 'message':
        return [entry.role === 'user' ? { kind: 'turn' } : ALIVE];
      case 'tool_use':
        return this.#called(entry);
      case 'tool_result':
        return this.#done(entry);
      case 'error':
        return [ALIVE];
      case 'result':
        return this.#result(entry);
    }
    return [];
  }

  /** The status of a failure stands on standard error alone, so that it is told when the client has ended. */
  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#failure !== null) return troubleIn(this.#failure, stderr, Date.now());
    const said = failed ? stderr.replaceAll(COLOURS, '') : '';
    return said.trim() === '' ? null : troubleIn(wordsIn(said), '', Date.now());
  }

  #called(entry: Payload): readonly HeadlessEvent[] {
    const name = inOneParagraph(textField(entry, 'tool_name') ?? 'a tool', 80);
    const id = textField(entry, 'tool_id');
    if (id !== null) this.#calls.set(id, describeCall(name, objectField(entry, 'parameters')));
    return [bookkeeping.has(name) ? ALIVE : { kind: 'tool', name }];
  }

  #done(entry: Payload): readonly HeadlessEvent[] {
    const id = textField(entry, 'tool_id') ?? '';
    const what = this.#calls.get(id) ?? 'a tool';
    this.#calls.delete(id);
    return isDenied(entry) ? [{ kind: 'denied', what }] : [ALIVE];
  }

  #result(entry: Payload): readonly HeadlessEvent[] {
    if (entry.status === 'success') {
      this.#failure = null;
      return [{ kind: 'result', ok: true, usd: null, trouble: null }];
    }
    this.#failure = textField(objectField(entry, 'error') ?? {}, 'message') ?? 'The turn failed.';
    return [ALIVE];
  }
}

/** Without a login it adds what to do about it in a line of its own. */
function wordsIn(stderr: string): string {
  return /^.*you must specify the \w+ environment variable.*$/m.exec(stderr)?.[0] ?? lastLineOf(stderr);
}

function sessionOf(entry: Payload): readonly HeadlessEvent[] {
  const id = textField(entry, 'session_id');
  return id === null ? [] : [{ kind: 'session', id }];
}

/** By a rule, or because nobody is there to be asked. */
function isDenied(entry: Payload): boolean {
  const error = objectField(entry, 'error');
  if (error === null) return false;
  return (
    error.type === 'policy_violation' || /requires user confirmation/.test(textField(error, 'message') ?? '')
  );
}

function describeCall(name: string, input: Payload | null): string {
  const what = ['command', 'file_path', 'url', 'prompt'].flatMap(
    (field) => (input && textField(input, field)) ?? [],
  )[0];
  return what === undefined ? name : `${name}(${inOneParagraph(what.slice(0, 2000), 200)})`;
}
