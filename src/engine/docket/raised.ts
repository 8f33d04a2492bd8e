// Is a finding one that was answered before, once more (pure)? In the same file, or by its id; two that are about no
// file, as those of a plan are, when they say much the same.

import type { Entry } from './types.ts';

/** As much of a claim as says what it is about: a docket may hold anything. */
const COMPARED_CHARACTERS = 2000;

/** An entry with what is asked of it over and over. */
export type Comparable = { entry: Entry; ids: ReadonlySet<string>; words: ReadonlySet<string> };

export function comparable(entry: Entry): Comparable {
  const claim = entry.claim.slice(0, COMPARED_CHARACTERS);
  return { entry, ids: idsIn(claim), words: entry.file === null ? wordsOf(claim) : NO_WORDS };
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** In the same file, or by its id. */
export function isNamedAgain({ entry, ids }: Comparable, answered: Entry): boolean {
  if (entry.review === answered.review) return false;
  return (entry.file !== null && entry.file === answered.file) || ids.has(answered.id);
}

/** Both are about no file, and half of the words that either has are in both. */
export function isSaidAgain(one: Comparable, answered: Comparable): boolean {
  if (one.entry.review === answered.entry.review) return false;
  if (one.entry.file !== null || answered.entry.file !== null) return false;
  let both = 0;
  for (const word of one.words) if (answered.words.has(word)) both++;
  return both > 0 && both * 2 >= one.words.size + answered.words.size - both;
}

function idsIn(claim: string): ReadonlySet<string> {
  return new Set(Array.from(claim.matchAll(/\bF[1-9]\d{0,8}\b/g), ([id]) => id));
}

/** Short words say nothing of what it is about. */
function wordsOf(claim: string): ReadonlySet<string> {
  return new Set(claim.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []);
}
