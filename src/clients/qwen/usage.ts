// Tokens in Qwen Code's transcript (0.24.4): a line for each answer of a model, those to its subagents and to itself
// among them. What was thought is part of the output there. The message's own line tells the same again.

import { objectField } from '../fields.ts';
import { usageByLine } from '../usage-by-line.ts';

const ANSWER = 'qwen-code.api_response';

export const usage = usageByLine({
  sign: ANSWER,
  id: 'uuid',
  usedIn(entry) {
    const payload = entry.subtype === 'ui_telemetry' ? objectField(entry, 'systemPayload') : null;
    const used = payload && objectField(payload, 'uiEvent');
    return used?.['event.name'] === ANSWER ? used : null;
  },
  ...{ input: 'input_token_count', cached: 'cached_content_token_count', output: ['output_token_count'] },
});
