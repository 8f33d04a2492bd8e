// What must hold of a wait, whatever a record says of it. Bundled with planted defects in it, too, so it imports
// nothing but the product.

import { clockAtStop, clockOf, isOver, waitingNow } from '../../src/engine/waiting/clock.ts';
import { beginWait, withWait } from '../../src/engine/waiting/on-record.ts';
import { readRecordedWait } from '../../src/engine/waiting/recorded.ts';
import { waitAt } from '../../src/engine/waiting/wait.ts';
import { answeredLine, lastLines, questionNotice, reviewerNotice } from '../../src/engine/waiting/words.ts';
import { parseSidecar } from '../../src/store/parse-records.ts';
import { describeWaiting } from '../../src/view/describe-waiting.ts';
import { waitInShort, whatWasOver, whyItWaited } from '../../src/view/explain-waiting.ts';

export const rules = {
  answeredLine,
  beginWait,
  clockAtStop,
  clockOf,
  describeWaiting,
  isOver,
  lastLines,
  parseSidecar,
  questionNotice,
  readRecordedWait,
  reviewerNotice,
  waitAt,
  waitInShort,
  waitingNow,
  whatWasOver,
  whyItWaited,
  withWait,
};

export type Rules = typeof rules;
