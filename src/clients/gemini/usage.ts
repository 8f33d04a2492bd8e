// Tokens in Gemini CLI's transcript (0.61.0): each message of the model's has its own, and is written again under the same
// id once its tools have run. What was read from the cache is part of the input there.

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
  if (!line.includes('"tokens"')) return null;
  const entry = parseObject(line);
  const used = entry?.type === 'gemini' ? objectField(entry, 'tokens') : null;
  const id = entry && textField(entry, 'id');
  if (!entry || !used || !id) return null;
  const cacheRead = countIn(used, 'cached');
  const input = Math.max(0, countIn(used, 'input') - cacheRead);
  return {
    kind: 'message',
    id,
    tokens: addUp(input, countIn(used, 'output'), countIn(used, 'thoughts'), countIn(used, 'tool')),
    cacheRead,
    at: writtenAt(entry).at ?? null,
  };
}
