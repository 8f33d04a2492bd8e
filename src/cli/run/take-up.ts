// Takes up a run that went stale while nobody drove it, by the workflow's own command, in the name of its session.

import type { Client } from '../../clients/client.ts';
import { envOfSession } from '../../driver/bind.ts';
import type { Project } from '../../engine/project.ts';
import type { Command } from '../../engine/workflow-cli.ts';

export async function takeUpIn(
  project: Project,
  command: Command | undefined,
  client: Client,
  session: string | null,
): Promise<void> {
  if (command === undefined) return;
  const env = session === null ? project.env : envOfSession(project.env, client, session);
  const now = Date.now();
  const opened = async (): Promise<Project> => ({ ...project, env, now });
  await command.run({
    ...{ flags: {}, words: [], env, cwd: project.root, now },
    stdin: () => '',
    print: () => {},
    existing: opened,
    forNewRun: opened,
  });
}
