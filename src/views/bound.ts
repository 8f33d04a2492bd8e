// How near a run is to its bound, in words (pure): where it has to end at the latest, which is not its goal.

import type { Progress } from '../view/model.ts';

/** Null: `beside`, which stands next to it, says it already, as `ITERATION 3/10` does. */
export function boundInWords({ unit, at, of }: Progress, beside: string): string | null {
  if (new RegExp(`${unit} ${at}\\b`, 'i').test(beside)) return null;
  return of === null ? `${unit} ${at}` : `${unit} ${at} of at most ${of}`;
}
