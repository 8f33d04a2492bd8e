// Tokens in Gemini CLI's transcript (0.61.0): each message of the model's has its own, and is written again under the same
// id once its tools have run.

import { objectField } from '../fields.ts';
import { usageByLine } from '../usage-by-line.ts';

export const usage = usageByLine({
  sign: '"tokens"',
  id: 'id',
  usedIn: (entry) => (entry.type === 'gemini' ? objectField(entry, 'tokens') : null),
  ...{ input: 'input', cached: 'cached', output: ['output', 'thoughts', 'tool'] },
});
