// Tokens in Qwen Code's transcript (0.24.4): a line for each answer of a model, those to its subagents and to itself
// among them. What was read from the cache is part of the input there, and what was thought part of the output. The
// message's own line tells the same again.

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

const ANSWER = 'qwen-code.api_response';

function read(line: string): LineUsage | null {
  // Parsing is what costs.
  if (!line.includes(ANSWER)) return null;
  const entry = parseObject(line);
  const payload = entry?.subtype === 'ui_telemetry' ? objectField(entry, 'systemPayload') : null;
  const used = payload && objectField(payload, 'uiEvent');
  const id = entry && textField(entry, 'uuid');
  if (!entry || used?.['event.name'] !== ANSWER || !id) return null;
  const cacheRead = countIn(used, 'cached_content_token_count');
  const input = Math.max(0, countIn(used, 'input_token_count') - cacheRead);
  return {
    kind: 'message',
    id,
    tokens: addUp(input, countIn(used, 'output_token_count')),
    cacheRead,
    at: writtenAt(entry).at ?? null,
  };
}
