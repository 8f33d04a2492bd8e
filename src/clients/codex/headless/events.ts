// What the lines say that Codex prints as it works (0.166.0). Whatever is not known here is passed over. A hold of ours
// is none of its events: the turn goes on.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

/** Items that are something done, by the client's own name for them. What it says, thinks or warns of is not. */
const words = ['agent_message', 'reasoning', 'error', 'todo_list', 'user_message'];

export class CodexReader implements StreamReader {
  /** Items that were counted when they began. */
  readonly #begun = new Set<string>();
  #trouble: Trouble | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    if (entry === null) return [];
    switch (entry.type) {
      case 'thread.started':
        return sessionOf(entry);
      case 'turn.started':
        return [{ kind: 'turn' }];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#ofItem(objectField(entry, 'item') ?? {}, entry.type === 'item.completed');
      case 'turn.completed':
        this.#trouble = null;
        return [{ kind: 'result', ok: true, usd: null, trouble: null }];
      case 'turn.failed':
        return this.#failed(textField(objectField(entry, 'error') ?? {}, 'message'));
      case 'error':
        // What it tries again by itself is an event of this kind too: only a turn that failed is trouble.
        return [ALIVE];
    }
    return [];
  }

  /** A log line of its own says less than the event did. */
  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#trouble !== null || !failed) return this.#trouble;
    const said = lastLineOf(stderr.replace(/^\d{4}-\d\d-\d\dT\S+Z\s+(?:ERROR|WARN|INFO)\s.*$/gm, ''));
    return said === '' ? null : troubleIn(said, Date.now());
  }

  #failed(message: string | null): readonly HeadlessEvent[] {
    this.#trouble = troubleIn(message ?? '', Date.now());
    return [{ kind: 'result', ok: false, usd: null, trouble: this.#trouble }];
  }

  #ofItem(item: Payload, isOver: boolean): readonly HeadlessEvent[] {
    const type = textField(item, 'type');
    if (type === null || words.includes(type)) return [ALIVE];
    const id = textField(item, 'id') ?? '';
    const isKnown = this.#begun.has(id);
    if (isOver) this.#begun.delete(id);
    else this.#begun.add(id);
    const denied = isOver && item.status === 'declined' ? [deniedOf(type, item)] : [];
    const done: HeadlessEvent = isKnown ? ALIVE : { kind: 'tool', name: inOneParagraph(type, 80) };
    return [done, ...denied];
  }
}

function sessionOf(entry: Payload): readonly HeadlessEvent[] {
  const id = textField(entry, 'thread_id');
  return id === null ? [] : [{ kind: 'session', id }];
}

/** Nobody is there to be asked, so that a question is an answer. */
function deniedOf(type: string, item: Payload): HeadlessEvent {
  const what = textField(item, 'command') ?? textField(item, 'tool');
  return {
    kind: 'denied',
    what: inOneParagraph(what === null ? type : `${type}(${what.slice(0, 2000)})`, 240),
  };
}
