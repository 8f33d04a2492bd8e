// Whether a review's line is in the journal already. Asked when a finished review is found that an earlier stop left:
// that stop's hook may have died after it had written the line.

import fs from 'node:fs';
import { linesFromEnd } from '../text/backward.ts';
import { homeOf, journalPath } from './home.ts';
import { parseJournalLine } from './journal-lines.ts';
import { openInsideNoLink } from './open.ts';

/** It was among the last things that hook did; and a journal that came with a repository may be of any length. */
const READ_AT_MOST = 1024 * 1024;

export function hasReviewLine(root: string, attempt: string): boolean {
  const file = journalPath(homeOf(root));
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const descriptor = isLink ? null : openInsideNoLink(file, root);
  if (descriptor === null) return false;
  try {
    for (const { text } of linesFromEnd(descriptor, READ_AT_MOST)) {
      if (!text.includes(attempt)) continue;
      const line = parseJournalLine(text);
      if (line?.event === 'review' && line.attempt === attempt) return true;
    }
    return false;
  } finally {
    fs.closeSync(descriptor);
  }
}
