// The agent's own rows in Claude Code's transcript (2.1.325). What the client writes in its agent's place, an error or a
// row that closes a turn which was broken off, is none of them.

import { objectField, objectsField, parseObject } from '../fields.ts';
import { type WorkReader, workInBlocks } from '../work.ts';

export const work: WorkReader = (line) => {
  const entry = parseObject(line);
  const message = entry && objectField(entry, 'message');
  if (!entry || !message || entry.isSidechain === true || message.model === '<synthetic>') return null;
  return workInBlocks(entry.type, objectsField(message, 'content'));
};
