// Walks a decision and its naive model side by side: at every call the outcome must be one the naive model
// accepts. The walk is what fast-check made up, and shrinks, of stops and edits by hand.

import { isDeepStrictEqual } from 'node:util';
import type { Acceptable, Outcome } from '../naive/outcome.ts';

/** How many random walks per workflow; the long run sets it to a hundred thousand. */
export const WALKS = Number(process.env.HOLDFAST_MODEL_WALKS ?? 1500);
export const SEED = Number(process.env.HOLDFAST_MODEL_SEED ?? 20261115);

export function mustBeAccepted<State>(
  outcome: Outcome<State>,
  acceptable: Acceptable<State>,
  asked: unknown,
  seen: Set<string>,
): void {
  seen.add(`${outcome.answer} ${outcome.about ?? '-'}`);
  // fast-check makes records without a prototype: what counts is the data.
  const plain = structuredClone(outcome);
  if (acceptable.some((row) => isDeepStrictEqual(structuredClone(row), plain))) return;
  throw new Error(
    [
      `asked:  ${JSON.stringify(asked)}`,
      `decide: ${JSON.stringify(outcome)}`,
      ...acceptable.map((row) => `naive:  ${JSON.stringify(row)}`),
    ].join('\n'),
  );
}
