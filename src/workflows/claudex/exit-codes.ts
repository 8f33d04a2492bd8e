// What a runner's exit code says about a round that was not reviewed.

import type { LoopReviewer } from './reviewer.ts';
import { LIMITED, LINKED, UNWRITABLE } from './runner.ts';

/** `exit code 127: codex was not found on PATH` */
export function explainExit(code: number, { title, program }: LoopReviewer): string {
  const means = MEANINGS.get(code) ?? `${title} failed, and the last lines of its output say why`;
  return `exit code ${code}: ${means.replace('TITLE', title).replace('PROGRAM', program)}`;
}

/** The runner's own codes; any other is the reviewer's. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [0, 'TITLE ended well, but wrote no findings'],
  [LIMITED, 'TITLE is at its usage limit'],
  [LINKED, 'a link was in the place of what is written'],
  [UNWRITABLE, 'TITLE may not write its findings where they go'],
  [124, 'it took longer than review.timeout allows'],
  [125, 'its loop was ended'],
  [127, 'PROGRAM was not found on PATH'],
  [129, 'it was ended from outside'],
  [130, 'it was ended from outside'],
  [137, 'it was ended from outside'],
  [143, 'it was ended from outside'],
]);
