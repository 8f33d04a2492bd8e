// The agent's own rows in Copilot CLI's transcript (1.0.102). A subagent's events name the call that started it.

import { objectField, objectsField, parseObject, textField } from '../fields.ts';
import type { WorkReader } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  const data = entry && objectField(entry, 'data');
  if (!entry || !data || textField(data, 'parentToolCallId') !== null) return null;
  if (entry.type === 'tool.execution_complete') {
    const id = textField(data, 'toolCallId');
    return { kind: 'results', ids: id === null ? [] : [id] };
  }
  if (entry.type !== 'assistant.message') return null;
  const calls = objectsField(data, 'toolRequests').flatMap((call) => textField(call, 'toolCallId') ?? []);
  return { kind: 'own', calls };
};
