// Tokens in Codex's rollout (0.166.0): after each answer of the model a line with the totals of the whole thread, which go
// on over a resume; and the same in another line, which may come only after the tools that the answer called. What was
// read from the cache is part of the input there. A subagent is a thread of its own, with totals of its own.

import type { Payload } from '../client.ts';
import { objectField, parseObject, writtenAt } from '../fields.ts';
import { addUp, countIn, type LineUsage, type UsageReader } from '../usage.ts';
import { subagentRollouts } from './subagents.ts';

export const usage: UsageReader = {
  totals: true,
  files: ({ transcriptPath, session }) =>
    transcriptPath === null ? [] : [transcriptPath, ...subagentRollouts(transcriptPath, session)],
  timeOf,
  read,
};

function timeOf(line: string): number | null {
  const entry = parseObject(line);
  return (entry && writtenAt(entry).at) ?? null;
}

function read(line: string): LineUsage | null {
  // Parsing is what costs.
  if (!line.includes('"token_usage_record"') && !line.includes('"token_count"')) return null;
  const entry = parseObject(line);
  const found = entry && totalsIn(entry, objectField(entry, 'payload'));
  if (!entry || !found) return null;
  return {
    kind: 'total',
    ...usedIn(found.total),
    last: usedIn(found.last),
    at: writtenAt(entry).at ?? null,
  };
}

function totalsIn(entry: Payload, item: Payload | null): { total: Payload; last: Payload | null } | null {
  // Without `info` a count is about limits alone.
  const info = item?.type === 'token_count' ? objectField(item, 'info') : null;
  const [from, of, last] =
    entry.type === 'token_usage_record'
      ? [item, 'thread_token_usage', 'usage']
      : [info, 'total_token_usage', 'last_token_usage'];
  const total = from && objectField(from, of);
  return from && total ? { total, last: objectField(from, last) } : null;
}

function usedIn(from: Payload | null): { tokens: number; cacheRead: number } {
  const cacheRead = countIn(from, 'cached_input_tokens');
  const input = Math.max(0, countIn(from, 'input_tokens') - cacheRead);
  return { tokens: addUp(input, countIn(from, 'output_tokens')), cacheRead };
}
