// An invariant is a sentence and what breaks it: null while it holds, else how it is broken.

import type { Broken } from './explorer.ts';

export type Invariants<Context> = Readonly<Record<string, (context: Context) => string | null>>;

/** Called millions of times, so the list is made once. */
export function checker<Context>(invariants: Invariants<Context>): (context: Context) => Broken | null {
  const list = Object.entries(invariants);
  return (context) => {
    for (const [invariant, check] of list) {
      const how = check(context);
      if (how !== null) return { invariant, how };
    }
    return null;
  };
}

/** `how` counts only where the condition does not hold. */
export function unless(holds: boolean, how: string): string | null {
  return holds ? null : how;
}

/** One of them, for the proof that it can fail. */
export function only<Context>(invariants: Invariants<Context>, name: string): Invariants<Context> {
  const check = invariants[name];
  if (check === undefined) throw new Error(`there is no invariant "${name}"`);
  return { [name]: check };
}
