// The agent's own rows in Qwen Code's transcript (0.24.4).

import { objectField, objectsField, parseObject, textField } from '../fields.ts';
import type { WorkReader } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  const message = entry && objectField(entry, 'message');
  if (!entry || !message || entry.isSidechain === true) return null;
  const idsOf = (name: string): string[] =>
    objectsField(message, 'parts').flatMap((part) => textField(objectField(part, name) ?? {}, 'id') ?? []);
  if (entry.type === 'assistant') return { kind: 'own', calls: idsOf('functionCall') };
  return entry.type === 'tool_result' ? { kind: 'results', ids: idsOf('functionResponse') } : null;
};
