// Makes a run the session's that asks for it: the one way, beside a ticket, by which a stop is ever held.

import fs from 'node:fs';
import { sessionsOf } from '../clients/index.ts';
import { homeOf, sidecarPath } from '../store/home.ts';
import { type CommandEvent, LONGEST_TASK } from '../store/journal-lines.ts';
import type { Json } from '../store/json.ts';
import { bind, readSidecar, writeSidecar } from '../store/sidecars.ts';
import { dropTicket, leaveTicket } from '../store/tickets.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { isOwnDrive, refuseToEnd } from './driver/its-agent.ts';
import type { Project } from './project.ts';
import { isDoubtful, refuseUnreached } from './session-root.ts';
import { journalCommand } from './stop/journal.ts';
import { handedOver } from './waiting/on-record.ts';

/** Commands wait longer for the lock than the hook does: no turn waits for them. */
export const COMMAND_PATIENCE_MS = 15_000;

export type Owner = `this session${string}` | 'the next session here';

/**
 * Called under the lock by commands that start, continue or adopt a run. Inside a client the run is bound to
 * the session of the environment; in a plain terminal to the next session here, for ten minutes. Refused where the
 * session's stops would never find the run. The journal has it as `event`, or as what it is by our notes on the run, with
 * the first line of `task`.
 */
export function claimRun(
  project: Project,
  name: string,
  saved?: Json,
  event: CommandEvent | null = eventOfClaim(project, name),
  task?: string,
): Owner {
  const { root, env, now } = project;
  const sessions = sessionsOf(env);
  if (sessions.length > 0) refuseUnreached(root, name, env);
  const isOthers = isOfOthers(project, name);
  // A client that its agent starts would take it from the session that is driven.
  if (isOthers && sessions.length > 0 && !isOwnDrive(project, name, sessions)) refuseToEnd(project, name);
  bind(root, name, sessions, { saved, task: task === undefined ? undefined : firstLineOf(task) });
  if (isOthers) endFormerWait(root, name, now);
  if (event !== null) journalCommand(project, event, name);
  if (sessions.length === 0) {
    leaveTicket(root, name, project.now, env);
    return 'the next session here';
  }
  voidTicket(project, name);
  return isDoubtful(root, env)
    ? `this session (if its client was started in ${root} or below)`
    : 'this session';
}

function firstLineOf(task: string): string {
  const [first = ''] = task.trim().split('\n', 1);
  return inOneParagraph(first, LONGEST_TASK);
}

/** Null: it is this session's already, and goes on. */
function eventOfClaim(project: Project, name: string): CommandEvent | null {
  if (!fs.existsSync(sidecarPath(homeOf(project.root), name))) return 'start';
  return isOfOthers(project, name) ? 'adopt' : null;
}

/** Another session's by now: what the former one waited for is waited for no more. */
export function endFormerWait(root: string, name: string, now: number): void {
  const sidecar = readSidecar(root, name);
  const next = handedOver(sidecar, now);
  if (next !== sidecar) writeSidecar(root, next);
}

function isOfOthers({ root, env }: Project, name: string): boolean {
  try {
    return readSidecar(root, name).sessions.join() !== sessionsOf(env).join();
  } catch {
    return true; // Whose it was cannot be read; binding writes these notes again.
  }
}

/** In a client's sandbox the user's folder may be read-only; a stop passes over a ticket for a run that has a session. */
export function voidTicket({ root, now, env }: Project, name: string): void {
  try {
    dropTicket(root, name, now, env);
  } catch {
    // As said above.
  }
}
