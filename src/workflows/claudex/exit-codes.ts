// What a runner's exit code says about a round that was not reviewed.

import { LIMITED, LINKED } from './runner.ts';

/** `exit code 127: codex was not found on PATH` */
export function explainExit(code: number): string {
  return `exit code ${code}: ${MEANINGS.get(code) ?? OTHERWISE}`;
}

const OTHERWISE = 'Codex failed, and the last lines of its output say why';

/** The runner's own codes; any other is Codex's. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [0, 'Codex ended well, but wrote no findings'],
  [LIMITED, 'Codex is at its usage limit'],
  [LINKED, 'a link was in the place of what is written'],
  [124, 'it took longer than review.timeout allows'],
  [125, 'its loop was ended'],
  [127, 'codex was not found on PATH'],
  [129, 'it was ended from outside'],
  [130, 'it was ended from outside'],
  [137, 'it was ended from outside'],
  [143, 'it was ended from outside'],
]);
