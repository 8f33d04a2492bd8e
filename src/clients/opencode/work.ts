// The agent's own lines among those that our plugin in opencode writes: all but prompts. A tool's stands there when it
// has run.

import { parseObject } from '../fields.ts';
import type { WorkReader } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  return entry?.opencode === 1 && entry.kind !== 'user' ? { kind: 'own', calls: [] } : null;
};
