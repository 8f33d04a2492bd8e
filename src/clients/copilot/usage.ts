// Tokens in Copilot CLI's transcript (1.0.102): a line for each answer of a model, those to its subagents among them. What
// was thought is part of the output there.

import { objectField } from '../fields.ts';
import { usageByLine } from '../usage-by-line.ts';

const ANSWER = 'session.usage_record';

export const usage = usageByLine({
  sign: `"${ANSWER}"`,
  id: 'id',
  usedIn(entry) {
    const data = entry.type === ANSWER ? objectField(entry, 'data') : null;
    return data && objectField(data, 'usage');
  },
  ...{ input: 'inputTokens', cached: 'cacheReadTokens', output: ['outputTokens'] },
});
