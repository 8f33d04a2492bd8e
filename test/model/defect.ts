// Proof that a check can fail: a defect is planted, and something has to notice.

import fc from 'fast-check';
import { explore, type Model, report } from '../../src/explorer/explorer.ts';
import type { Value } from '../../src/explorer/space.ts';
import { SEED } from './walker/compare.ts';

/** The invariant the explorer finds broken; null when it finds nothing. */
export function foundBy<Node extends Readonly<Record<keyof Node, Value>>>(model: Model<Node>): string | null {
  const explored = explore(model);
  // A violation without its way would help nobody.
  if (explored.violation !== null && explored.violation.path.length < 2) throw new Error(report(explored));
  return explored.violation?.invariant ?? null;
}

/** Does a random walk tell the defective decision from the naive model? */
export function walkNotices<Walk>(walks: fc.Arbitrary<Walk>, walk: (made: Walk) => void): boolean {
  return fc.check(fc.property(walks, walk), { numRuns: 1500, seed: SEED }).failed;
}
