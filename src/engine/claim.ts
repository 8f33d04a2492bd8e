// Makes a run the session's that asks for it: the one way, beside a ticket, by which a stop is ever held.

import { sessionsOf } from '../clients/index.ts';
import type { Json } from '../store/json.ts';
import { bind } from '../store/sidecars.ts';
import { leaveTicket } from '../store/tickets.ts';
import type { Project } from './project.ts';

/** Commands wait longer for the lock than the hook does: nobody's turn hangs on them. */
export const COMMAND_PATIENCE_MS = 15_000;

/**
 * Called under the lock by commands that start, continue or adopt a run. Inside a client the run is bound to
 * the session of the environment; in a plain terminal to the next session here, for ten minutes.
 */
export function claimRun(
  project: Project,
  name: string,
  own?: Json,
): 'this session' | 'the next session here' {
  const sessions = sessionsOf(project.env);
  bind(project.root, name, sessions, own);
  if (sessions.length > 0) return 'this session';
  leaveTicket(project.root, name, project.now, project.env);
  return 'the next session here';
}
