// Is a finding one that was answered before, once more (pure)? In the same file, or by its id; two that are about no
// file, as those of a plan are, when they say much the same.

import type { Entry } from './types.ts';

export function isRaisedAgain(entry: Entry, answered: Entry): boolean {
  if (entry.review === answered.review) return false;
  if (entry.file !== null && entry.file === answered.file) return true;
  if (idsIn(entry.claim).has(answered.id)) return true;
  return entry.file === null && answered.file === null && areAlike(entry.claim, answered.claim);
}

function idsIn(claim: string): ReadonlySet<string> {
  return new Set(Array.from(claim.matchAll(/\bF[1-9]\d{0,8}\b/g), ([id]) => id));
}

/** Half of the words that either has. */
function areAlike(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const both = [...left].filter((word) => right.has(word)).length;
  return both > 0 && both * 2 >= left.size + right.size - both;
}

/** Short words say nothing of what it is about. */
function wordsOf(claim: string): ReadonlySet<string> {
  return new Set(claim.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []);
}
