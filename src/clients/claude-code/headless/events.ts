// What the lines say that Claude Code prints as it works (2.1.325). Whatever is not known here is passed over.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, objectsField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf, unknownTrouble } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { resetIn, troubleOfResult } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

/** Tool calls whose input is remembered until their result: one that is denied is named by it. */
const MOST_CALLS = 200;

export class ClaudeReader implements StreamReader {
  #session: string | null = null;
  /** What each call would do, by its id. */
  readonly #calls = new Map<string, string>();
  readonly #denied = new Set<string>();
  #failure: Payload | null = null;
  #resetsAt: number | null = null;
  #trouble: Trouble | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    if (entry === null) return [];
    return [...this.#sessionOf(entry), ...this.#eventsOf(entry)];
  }

  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#trouble !== null || !failed) return this.#trouble;
    const said = lastLineOf(stderr);
    return said === '' ? null : unknownTrouble(said);
  }

  #eventsOf(entry: Payload): readonly HeadlessEvent[] {
    switch (entry.type) {
      case 'system':
        return this.#ofSystem(entry);
      case 'assistant':
        return this.#ofAssistant(entry);
      case 'result':
        return this.#ofResult(entry);
      case 'rate_limit_event':
        this.#resetsAt = resetIn(entry) ?? this.#resetsAt;
        return [ALIVE];
      case 'user':
      case 'tool_progress':
      case 'stream_event':
        return [ALIVE];
    }
    return [];
  }

  #ofSystem(entry: Payload): readonly HeadlessEvent[] {
    if (entry.subtype === 'init') {
      this.#trouble = null; // Of the turn before: what ends the process from here on is something else.
      return [{ kind: 'turn' }];
    }
    if (entry.subtype !== 'permission_denied') return [ALIVE];
    return this.#denial(textField(entry, 'tool_use_id'), textField(entry, 'tool_name'), null);
  }

  #ofAssistant(entry: Payload): readonly HeadlessEvent[] {
    if (entry.is_api_error_message === true) {
      this.#failure = entry;
      this.#resetsAt = resetIn(objectField(entry, 'api_error_params') ?? {}) ?? this.#resetsAt;
      return [ALIVE];
    }
    const blocks = objectsField(objectField(entry, 'message') ?? {}, 'content');
    const tools = blocks.filter((block) => block.type === 'tool_use');
    return tools.length === 0 ? [ALIVE] : tools.map((tool) => this.#called(tool));
  }

  #called(tool: Payload): HeadlessEvent {
    const name = inOneParagraph(textField(tool, 'name') ?? 'a tool', 80);
    const id = textField(tool, 'id');
    if (id !== null) this.#calls.set(id, describeCall(name, objectField(tool, 'input')));
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return { kind: 'tool', name };
  }

  /** The result lists all of them, also those that had an event of their own. */
  #ofResult(entry: Payload): readonly HeadlessEvent[] {
    const denials = objectsField(entry, 'permission_denials').flatMap((denial) =>
      this.#denial(textField(denial, 'tool_use_id'), textField(denial, 'tool_name'), denial),
    );
    const trouble = troubleOfResult(entry, this.#failure, this.#resetsAt, Date.now());
    this.#trouble = trouble;
    this.#failure = null;
    this.#resetsAt = null;
    this.#calls.clear();
    const usd = typeof entry.total_cost_usd === 'number' ? entry.total_cost_usd : null;
    return [...denials, { kind: 'result', ok: entry.is_error === false, usd, trouble }];
  }

  #denial(id: string | null, tool: string | null, denial: Payload | null): readonly HeadlessEvent[] {
    const key = id ?? '';
    if (this.#denied.has(key)) return [];
    if (id !== null) this.#denied.add(key);
    const name = inOneParagraph(tool ?? 'a tool', 80);
    const input = denial && objectField(denial, 'tool_input');
    return [{ kind: 'denied', what: this.#calls.get(key) ?? describeCall(name, input) }];
  }

  /** Each line names it; what is said once is enough. A new one comes with /clear. */
  #sessionOf(entry: Payload): readonly HeadlessEvent[] {
    const id = textField(entry, 'session_id');
    // An error before the session is there has an id of its own.
    const isNews = id !== null && id !== this.#session && entry.type === 'system';
    if (!isNews) return [];
    this.#session = id;
    return [{ kind: 'session', id }];
  }
}

/** As a permission rule names it: `Bash(npm test)`. */
function describeCall(name: string, input: Payload | null): string {
  const what = ['command', 'file_path', 'notebook_path', 'url', 'skill'].flatMap(
    (field) => (input && textField(input, field)) ?? [],
  )[0];
  return what === undefined ? name : `${name}(${inOneParagraph(what.slice(0, 2000), 200)})`;
}
