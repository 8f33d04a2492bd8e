// Tokens in Copilot CLI's transcript (1.0.102): a line for each answer of a model, those to its subagents among them. What
// was read from the cache is part of the input there, and what was thought part of the output.

import { objectField, parseObject, textField, writtenAt } from '../fields.ts';
import { addUp, countIn, type LineUsage, type UsageReader } from '../usage.ts';

export const usage: UsageReader = {
  totals: false,
  files: ({ transcriptPath }) => (transcriptPath === null ? [] : [transcriptPath]),
  timeOf,
  read,
};

function timeOf(line: string): number | null {
  const entry = parseObject(line);
  return (entry && writtenAt(entry).at) ?? null;
}

function read(line: string): LineUsage | null {
  // Parsing is what costs.
  if (!line.includes('"session.usage_record"')) return null;
  const entry = parseObject(line);
  const data = entry?.type === 'session.usage_record' ? objectField(entry, 'data') : null;
  const used = data && objectField(data, 'usage');
  const id = entry && textField(entry, 'id');
  if (!entry || !used || !id) return null;
  const cacheRead = countIn(used, 'cacheReadTokens');
  const input = Math.max(0, countIn(used, 'inputTokens') - cacheRead);
  return {
    kind: 'message',
    id,
    tokens: addUp(input, countIn(used, 'outputTokens')),
    cacheRead,
    at: writtenAt(entry).at ?? null,
  };
}
