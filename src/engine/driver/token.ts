// What the driver leaves for the client that it is about to start, and asks afterwards.

import { type DriverToken, dropToken, leaveToken, readToken } from '../../store/driver-tokens.ts';
import { DRIVER_VARIABLE, type Environment } from '../../store/environment.ts';
import { isFull } from '../../store/files.ts';
import { voidTicket } from '../claim-run.ts';
import type { Project } from '../project.ts';

export type DriverStart = {
  /** The session, where its id is known beforehand: chosen by us, or gone on with. Null: its SessionStart binds the run. */
  session: string | null;
  fresh: boolean;
  /** A fork of the run's session is started, not a new one. */
  forks?: boolean;
};

/** `run` null: the session's agent begins it. Answers with the variable for the client's environment, and its token. */
export function leaveDriverToken(
  project: Project,
  run: string | null,
  { session, fresh, forks = false }: DriverStart,
): { token: string; env: Environment } {
  const { root, now, env } = project;
  const token = leaveToken({ root, run, session, fresh, left: now, ...(forks ? { forks } : {}) }, env);
  // A start in a terminal left the run for whoever comes next: it is for this session alone.
  if (run !== null) voidTicket(project, run);
  return { token, env: { [DRIVER_VARIABLE]: token } };
}

/** The session that came with it; null: none yet. */
export function sessionOfToken({ env }: Project, token: string): string | null {
  return readToken(token, env)?.session ?? null;
}

/**
 * The client has ended: whatever still has the variable gets nothing by it. A full disk, where not even a lock can be
 * taken, must not cost how the run ended; the next client's token makes this one void.
 */
export function dropDriverToken({ env }: Project, token: string): void {
  try {
    dropToken(token, env);
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/** The record that a hook's environment names, where it is this session's in this project. */
export function tokenOfSession({ root, env }: Project, session: string | null): DriverToken | null {
  const token = env[DRIVER_VARIABLE];
  const known = token === undefined || session === null ? null : readToken(token, env);
  return known?.session === session && known.root === root ? known : null;
}
