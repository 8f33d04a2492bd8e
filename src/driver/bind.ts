// Makes a run the session's that the driver is about to start: the same claim as `holdfast adopt`, made for it.

import type { Client } from '../clients/client.ts';
import { clients } from '../clients/index.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import type { Environment } from '../store/environment.ts';
import { withLock } from '../store/lock.ts';

/** Without what a client around us has put there: the one that we start is nobody's inner client. */
export function withoutClients(env: Environment): Record<string, string | undefined> {
  const names = clients.flatMap((client) => [
    ...client.sessionVariables,
    ...(client.shellMark?.split('=').slice(0, 1) ?? []),
    ...(client.secretVariables ?? []),
    ...(client.hookVariables ?? []),
    ...[client.pidVariable ?? [], client.startVariable ?? []].flat(),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** As a command of that session sees it. */
export function envOfSession(env: Environment, client: Client, session: string): Environment {
  const names = client.sessionVariables.map((name) => [name, session] as const);
  return { ...withoutClients(env), ...Object.fromEntries(names) };
}

export async function giveToSession(
  project: Project,
  run: string,
  client: Client,
  session: string,
): Promise<void> {
  const asSession = { ...project, env: envOfSession(project.env, client, session) };
  await withLock(project.home, COMMAND_PATIENCE_MS, () => claimRun(asSession, run, undefined, 'adopt'));
}
