// Is a run paused, its budget being spent? For commands: the user's record alone tells.

import { hasBudget } from './place.ts';
import { type Place, readBudget } from './record.ts';

/** One that cannot be read is left alone too. */
export function isPaused(place: Place, name: string): boolean {
  if (!hasBudget(place, name)) return false;
  try {
    return readBudget(place, name)?.stage === 'paused';
  } catch {
    return true;
  }
}
