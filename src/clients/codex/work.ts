// The agent's own rows in Codex's rollout (0.166.0): what it said, thought and called.

import { objectField, parseObject, textField } from '../fields.ts';
import type { WorkReader } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  const item = entry?.type === 'response_item' ? objectField(entry, 'payload') : null;
  if (item === null) return null;
  if (item.type === 'message') return item.role === 'assistant' ? { kind: 'own', calls: [] } : null;
  const id = textField(item, 'call_id');
  const ids = id === null ? [] : [id];
  return textField(item, 'type')?.endsWith('_output')
    ? { kind: 'results', ids }
    : { kind: 'own', calls: ids };
};
