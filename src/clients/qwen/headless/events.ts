// What the lines say that Qwen Code prints as it works (0.24.4): Claude Code's frame, with words of its own where
// something went wrong. Whatever is not known here is passed over. A hold of ours is none of its events.

import { inOneParagraph } from '../../../text/paragraph.ts';
import type { Payload } from '../../client.ts';
import { objectField, objectsField, parseObject, textField } from '../../fields.ts';
import type { StreamReader } from '../../headless/start.ts';
import { lastLineOf, unknownTrouble } from '../../headless/trouble.ts';
import type { HeadlessEvent, Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

const ALIVE: HeadlessEvent = { kind: 'alive' };

export class QwenReader implements StreamReader {
  #trouble: Trouble | null = null;

  line(line: string): readonly HeadlessEvent[] {
    const entry = parseObject(line);
    switch (entry?.type) {
      case 'system':
        return entry.subtype === 'init' ? beginningOf(entry) : [ALIVE];
      case 'assistant':
        return toolsOf(entry);
      case 'result':
        return this.#ofResult(entry);
      case 'user':
      case 'stream_event':
        return [ALIVE];
    }
    return [];
  }

  /** What it has to say of its own tools is no trouble. */
  trouble(stderr: string, failed: boolean): Trouble | null {
    if (this.#trouble !== null || !failed) return this.#trouble;
    const said = lastLineOf(stderr.replaceAll(/^Ripgrep not available.*$/gm, ''));
    return said === '' ? null : unknownTrouble(said);
  }

  /** It lists all calls that were declined, by a rule or because nobody was there to be asked. */
  #ofResult(entry: Payload): readonly HeadlessEvent[] {
    const denied = objectsField(entry, 'permission_denials').map(deniedOf);
    const message = textField(objectField(entry, 'error') ?? {}, 'message');
    this.#trouble = entry.is_error === true ? troubleIn(message ?? '') : null;
    return [...denied, { kind: 'result', ok: entry.is_error === false, usd: null, trouble: this.#trouble }];
  }
}

/** One process is one prompt. */
function beginningOf(entry: Payload): readonly HeadlessEvent[] {
  const id = textField(entry, 'session_id');
  return [...(id === null ? [] : [{ kind: 'session', id } as const]), { kind: 'turn' }];
}

function toolsOf(entry: Payload): readonly HeadlessEvent[] {
  const blocks = objectsField(objectField(entry, 'message') ?? {}, 'content');
  const tools = blocks.filter((block) => block.type === 'tool_use');
  if (tools.length === 0) return [ALIVE];
  return tools.map((tool) => ({ kind: 'tool', name: nameOf(textField(tool, 'name')) }));
}

const nameOf = (name: string | null): string => inOneParagraph(name ?? 'a tool', 80);

/** As a rule names it: `run_shell_command(npm test)`. */
function deniedOf(denial: Payload): HeadlessEvent {
  const name = nameOf(textField(denial, 'tool_name'));
  const input = objectField(denial, 'tool_input');
  const what = ['command', 'file_path', 'notebook_path', 'url'].flatMap(
    (field) => (input && textField(input, field)) ?? [],
  )[0];
  const said = what === undefined ? name : `${name}(${inOneParagraph(what.slice(0, 2000), 200)})`;
  return { kind: 'denied', what: said };
}
