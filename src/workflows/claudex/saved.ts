// What claudex keeps in a run's sidecar. A cloned repository may have brought one along, so it is parsed.

import { isObject, type Json } from '../../store/json.ts';

export type Own = {
  /** Fingerprint of PLAN.md when the loop began; null when there was none, or nobody knows. */
  plan: string | null;
  /** The round in which the agent was told to wait for the runner. */
  waitHeld: number | null;
  /** The round in which the user was told that the runner still runs. */
  waitTold: number | null;
  /** The session's transcript, as its last stop named it: that it grows tells that the session lives. */
  transcript: string | null;
  /** Variables the user was told about. */
  warned: readonly string[];
};

export function readOwn(value: Json | undefined): Own {
  const own = isObject(value) ? value : {};
  return {
    plan: typeof own.plan === 'string' ? own.plan : null,
    waitHeld: typeof own.waitHeld === 'number' ? own.waitHeld : null,
    waitTold: typeof own.waitTold === 'number' ? own.waitTold : null,
    transcript: typeof own.transcript === 'string' ? own.transcript : null,
    warned: Array.isArray(own.warned) ? own.warned.filter((name) => typeof name === 'string') : [],
  };
}
