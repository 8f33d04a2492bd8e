// Makes a run the session's that the driver is about to start: the same claim as `holdfast adopt`, made for it.

import type { Client } from '../clients/client.ts';
import { clientVariables } from '../clients/index.ts';
import { COMMAND_PATIENCE_MS } from '../engine/claim-run.ts';
import { bindToSession } from '../engine/driver/bind.ts';
import { pendingHandOver } from '../engine/driver/hand-over.ts';
import type { Project } from '../engine/project.ts';
import { journalCommand } from '../engine/stop/journal.ts';
import type { Environment } from '../store/environment.ts';
import { withLock } from '../store/lock.ts';

/** Without what a client around us has put there: the one that we start is nobody's inner client. */
export function withoutClients(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !clientVariables.includes(name)));
}

/** As a command of that session sees it. */
export function envOfSession(env: Environment, client: Client, session: string): Environment {
  const names = client.sessionVariables.map((name) => [name, session] as const);
  return { ...withoutClients(env), ...Object.fromEntries(names) };
}

/** A hold that was handed over goes along, with all that was counted; otherwise the run is adopted. */
export async function giveToSession(
  project: Project,
  run: string,
  client: Client,
  session: string | null,
): Promise<void> {
  const { root, home } = project;
  const env = session === null ? project.env : envOfSession(project.env, client, session);
  await withLock(home, COMMAND_PATIENCE_MS, () => {
    const isHandedOver = pendingHandOver(root, run) !== null;
    if (session !== null) bindToSession(project, run, session);
    // Where the client chooses its session, its start binds the run; that somebody took it up is known now.
    if (!isHandedOver) journalCommand({ ...project, env }, 'adopt', run);
  });
}
