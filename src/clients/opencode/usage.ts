// Tokens in the transcript that our plugin writes for opencode: those of each step, as opencode counts them. What was read
// from the cache stands apart there; reasoning is no part of the output.

import { objectField, parseObject, textField } from '../fields.ts';
import { addUp, countIn, type LineUsage, type UsageReader } from '../usage.ts';
import { timeOf } from './transcript.ts';

export const usage: UsageReader = {
  totals: false,
  files: ({ transcriptPath }) => (transcriptPath === null ? [] : [transcriptPath]),
  timeOf(line) {
    const entry = parseObject(line);
    return (entry && timeOf(entry).at) ?? null;
  },
  read,
};

function read(line: string): LineUsage | null {
  // Parsing is what costs.
  if (!line.includes('"tokens"')) return null;
  const entry = parseObject(line);
  const used = entry?.opencode === 1 ? objectField(entry, 'tokens') : null;
  const id = entry && textField(entry, 'id');
  if (!entry || !used || !id) return null;
  const cache = objectField(used, 'cache');
  const written = addUp(countIn(used, 'input'), countIn(cache, 'write'));
  return {
    kind: 'message',
    id,
    tokens: addUp(written, countIn(used, 'output'), countIn(used, 'reasoning')),
    cacheRead: countIn(cache, 'read'),
    at: timeOf(entry).at ?? null,
  };
}
