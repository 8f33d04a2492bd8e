// An invariant is a sentence and what breaks it: null while it holds, else how it is broken.

import type { Broken } from './explorer.ts';

export type Invariants<Context> = Readonly<Record<string, (context: Context) => string | null>>;

export function firstBroken<Context>(invariants: Invariants<Context>, context: Context): Broken | null {
  for (const [invariant, check] of Object.entries(invariants)) {
    const how = check(context);
    if (how !== null) return { invariant, how };
  }
  return null;
}

/** A single sentence's check: `how` counts only where the condition does not hold. */
export function unless(holds: boolean, how: string): string | null {
  return holds ? null : how;
}
