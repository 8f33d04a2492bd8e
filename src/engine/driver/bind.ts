// Binds the driver's run to the session that the driver started: where the client does not let us choose a session's id,
// its SessionStart hook does so, by the driver's token, once (decision 5).

import { readToken, takeToken } from '../../store/driver-tokens.ts';
import { DRIVER_VARIABLE } from '../../store/environment.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { bind, handOn, readSidecar } from '../../store/sidecars.ts';
import { endFormerWait, voidTicket } from '../claim-run.ts';
import { isHandFired, type StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import { pendingHandOver } from './hand-over.ts';

/**
 * Called at a session's start with the driver's variable. A token that is not this session's changes nothing. `resumes`:
 * it goes on with another one, which only a fork that the driver has started may do by it.
 */
export async function bindByDriver({ stop, project, runtime }: StopContext, resumes: boolean): Promise<void> {
  const token = project.env[DRIVER_VARIABLE];
  const { session } = stop;
  if (token === undefined || session === null || isHandFired(stop)) return;
  if (resumes !== (readToken(token, project.env)?.forks ?? false)) return;
  ensureHome(project.root);
  await withLock(project.home, runtime.lockPatienceMs, () => {
    const { root, now, env } = project;
    const taken = takeToken(token, { root, session, now }, env);
    if (taken !== null && taken.run !== null) bindToSession(project, taken.run, session);
  });
}

/**
 * Under the lock. A run that was handed over goes on in that session as it would have in the former one: its counts go
 * along. Otherwise it is adopted, with a fresh count.
 */
export function bindToSession(project: Project, run: string, session: string): void {
  const { root, now } = project;
  if (pendingHandOver(root, run) !== null) handOn(root, run, session);
  else if (readSidecar(root, run).sessions.join() !== session) {
    bind(root, run, [session]);
    endFormerWait(root, run, now);
  }
  voidTicket(project, run);
}
