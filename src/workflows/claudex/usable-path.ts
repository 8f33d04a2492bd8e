// Is a folder's name one that every place it goes through gives back as it was: the state's lines, the runner, the
// hold that names the runner, a terminal?

import { realPath } from '../../store/files.ts';

/** What is wrong with the name, in a few words; null when nothing is. */
export function whatIsWrongWith(folder: string): string | null {
  if (BREAKS.test(folder)) return 'has a line break or another control character in it';
  if (DIRECTS.test(folder)) return 'has a character in it that changes the direction of text';
  return null;
}

/** Bytes that are no UTF-8 become U+FFFD on their way to us, and that is the name of another folder, or of none. */
export function cannotBeNamed(folder: string): boolean {
  return folder.includes('\uFFFD') && realPath(folder) === null;
}

// A tab is one that shells, state and terminals all keep.
const BREAKS = /[^\P{Cc}\t]|[\u2028\u2029]/u;
const DIRECTS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
