// What claudex keeps in a run's sidecar. A cloned repository may have brought one along, so it is parsed.

import { isObject, type Json } from '../../store/json.ts';

export type Saved = {
  /** Fingerprint of PLAN.md when the loop began; null when there was none, or nobody knows. */
  plan: string | null;
  /** The round in which the agent was held to wait for the runner. */
  waitHeld: number | null;
  /** The round in which the user was notified that the runner still runs. */
  waitNotified: number | null;
  /** The session's transcript, as its last stop named it: that it grows shows that the session lives. */
  transcript: string | null;
  /** Variables the user was warned about. */
  warned: readonly string[];
};

export function readSaved(value: Json | undefined): Saved {
  const saved = isObject(value) ? value : {};
  return {
    plan: typeof saved.plan === 'string' ? saved.plan : null,
    waitHeld: numberOrNull(saved.waitHeld),
    // Earlier versions called it waitTold.
    waitNotified: numberOrNull(saved.waitNotified) ?? numberOrNull(saved.waitTold),
    transcript: typeof saved.transcript === 'string' ? saved.transcript : null,
    warned: Array.isArray(saved.warned) ? saved.warned.filter((name) => typeof name === 'string') : [],
  };
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
