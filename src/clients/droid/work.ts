// The agent's own rows in Droid's transcript (0.225.2).

import { objectField, objectsField, parseObject } from '../fields.ts';
import { type WorkReader, workInBlocks } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  const message = entry?.type === 'message' ? objectField(entry, 'message') : null;
  if (message === null || message.visibility === 'user_only') return null;
  return workInBlocks(message.role, objectsField(message, 'content'));
};
