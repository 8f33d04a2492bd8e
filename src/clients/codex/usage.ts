// Tokens in Codex's rollout (0.166.0): after each request a line with the totals of the whole thread, which go on over a
// resume. What was read from the cache is part of the input there.

import type { Payload } from '../client.ts';
import { objectField, parseObject, writtenAt } from '../fields.ts';
import { countIn, type LineUsage, type UsageReader } from '../usage.ts';

export const usage: UsageReader = {
  totals: true,
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
  if (!line.includes('"token_count"')) return null;
  const entry = parseObject(line);
  const item = entry?.type === 'event_msg' ? objectField(entry, 'payload') : null;
  // Without `info` the line is about limits alone.
  const info = item?.type === 'token_count' ? objectField(item, 'info') : null;
  const total = info && objectField(info, 'total_token_usage');
  if (!entry || !info || !total) return null;
  const last = usedIn(objectField(info, 'last_token_usage'));
  return { kind: 'total', ...usedIn(total), last, at: writtenAt(entry).at ?? null };
}

function usedIn(from: Payload | null): { tokens: number; cacheRead: number } {
  const cacheRead = countIn(from, 'cached_input_tokens');
  const input = Math.max(0, countIn(from, 'input_tokens') - cacheRead);
  return { tokens: input + countIn(from, 'output_tokens'), cacheRead };
}
