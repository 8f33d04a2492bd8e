// How much of its time to wait a run has used up by calls of `holdfast wait`. Pure.

import type { Waits } from '../../store/records.ts';

/** What a call counts at least: one that ends at once must not be a way to be held for ever. */
const LEAST_CALL_MS = 60_000;

/** In milliseconds; above `wait.work` a call is a tool call like any other. */
export function calledInAll({ calls, called }: Waits): number {
  return Math.max(called, calls * LEAST_CALL_MS);
}
