// One run at one stop, and whose it is.

import type { Stop } from '../clients/stop.ts';
import type { Sidecar } from '../store/records.ts';
import type { Project } from './project.ts';

export type Visit = { project: Project; run: string; stop: Stop };

/** No session id: a person fired the hook. With `--client generic` that is counted as a session, but still theirs. */
export function isHandFired(stop: Stop): boolean {
  return stop.session === null || (stop.client === 'generic' && stop.session === 'generic');
}

/** The session's id is the ticket: only a run whose sidecar names it may hold it. */
export function isServed(sidecar: Sidecar, stop: Stop): boolean {
  return isHandFired(stop) || (stop.session !== null && sidecar.sessions.includes(stop.session));
}

/** `claudex:<id>` and the like: how a run is called in commands and in our notes. */
export function runName(workflow: string, run: string): string {
  return `${workflow}:${run}`;
}
