// `holdfast run --fresh`: a hold is handed over to the next session instead of answered. The text waits in the run's
// sidecar, written together with what the hold counted and changed; the session is let go.

import type { HandOver } from '../../store/records.ts';
import { readSidecar } from '../../store/sidecars.ts';

/** What waits for the next session; null: the run is a session's that is held as usual, or nobody's. */
export function pendingHandOver(root: string, run: string): HandOver | null {
  const { handover, sessions } = readSidecar(root, run);
  return handover !== undefined && sessions.includes(handover.session) ? handover : null;
}

/**
 * What the session was given that has the run now; null: it was given nothing so. To be said again where its client
 * died before it had heard it.
 */
export function lastHandOver(root: string, run: string): string | null {
  return readSidecar(root, run).handover?.text ?? null;
}
