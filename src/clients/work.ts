// When a client's agent worked, as the lines of its transcript tell it (types only, and what two clients share).

import type { Payload } from './client.ts';
import { textField } from './fields.ts';

/** What one line says of it, beside its time; null: nothing. */
export type WorkReader = (line: string) => WorkLine | null;

export type WorkLine =
  /** The agent's own row, with the ids of the tool calls in it. Where a call is written when it has run, there are none. */
  | { kind: 'own'; calls: readonly string[] }
  /** Of these calls. */
  | { kind: 'results'; ids: readonly string[] };

/** A message's blocks as Anthropic's API has them. */
export function workInBlocks(role: unknown, blocks: readonly Payload[]): WorkLine | null {
  const idsOf = (type: string, name: string): string[] =>
    blocks.flatMap((block) => (block.type === type ? (textField(block, name) ?? []) : []));
  if (role === 'assistant') return { kind: 'own', calls: idsOf('tool_use', 'id') };
  const ids = idsOf('tool_result', 'tool_use_id');
  return ids.length === 0 ? null : { kind: 'results', ids };
}
