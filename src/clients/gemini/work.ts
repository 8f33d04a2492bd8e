// The agent's own rows in Gemini CLI's transcript (0.61.0). With its calls a message is written once more when they
// have run, under the time that it had; the row after it has theirs.

import { objectField, objectsField, parseObject, textField } from '../fields.ts';
import type { WorkReader } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  if (entry === null || 'uuid' in entry) return null;
  if (entry.type === 'gemini') {
    const calls = objectsField(entry, 'toolCalls').flatMap((call) => textField(call, 'id') ?? []);
    return { kind: 'own', calls };
  }
  const ids = objectsField(entry, 'content').flatMap(
    (part) => textField(objectField(part, 'functionResponse') ?? {}, 'id') ?? [],
  );
  return ids.length === 0 ? null : { kind: 'results', ids };
};
