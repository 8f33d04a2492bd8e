// Does a review count as clean although its reviewer said otherwise (pure)? Where all that it listed lies below the floor
// that the user set; one that listed nothing is never.

import type { ReviewOutcome } from '../../engine/step.ts';
import type { Facts } from './types.ts';

/** `round` of the cycle: that of the review itself. */
export function isBelowFloor({ listed, floor }: Facts & ReviewOutcome, round: number): boolean {
  if (!floor || !listed || round < floor.from) return false;
  const below = floor.severity === 'high' ? listed.medium + listed.low : listed.low;
  const above = floor.severity === 'high' ? listed.high : listed.high + listed.medium;
  return below > 0 && above === 0;
}
