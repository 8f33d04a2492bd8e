// Granting is a person's. An agent's shell is known by any client's variable, whatever the run that is named; beyond
// that there is a terminal, or, for `run --continue`, which needs none, no session of the run that could have called it.

import os from 'node:os';
import { isatty } from 'node:tty';
import { clientVariables } from '../../clients/index.ts';
import { processOfSession } from '../../processes/of-session.ts';
import { ATTEMPT_VARIABLE, DRIVER_VARIABLE, type Environment } from '../../store/environment.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { sessionsDrivenFor } from '../driver/its-agent.ts';
import type { Project } from '../project.ts';
import { NotNow } from '../workflow-cli.ts';
import { readBudget } from './record.ts';

/** Who grants, and by which command. `env`: as it is, with all that a client may have put there. */
export type Grantor = { env: Environment; command: 'resume' | 'run --continue' };

/** Refused where it need not be a person. */
export function refuseAgents(project: Project, name: string, { env, command }: Grantor): void {
  const names = [DRIVER_VARIABLE, ATTEMPT_VARIABLE, ...clientVariables];
  const mark = names.find((each) => env[each] !== undefined);
  if (mark !== undefined)
    throw new NotNow(
      `only a person grants more, in a terminal of their own: this shell is an agent's (${mark} is set). Leave the work whole, write down where it stands, and stop.`,
    );
  switch (command) {
    case 'resume':
      if (isatty(0) && isatty(1)) return;
      throw new NotNow(
        `only a person grants more: run \`${project.cli} resume\` yourself, in a terminal, with neither its input nor its output going elsewhere.`,
      );
    case 'run --continue':
      refuseBesideSession(project, name);
  }
}

/** Its agent may have put its variables away, but not its client. */
function refuseBesideSession(project: Project, name: string): void {
  const sessions = new Set([
    ...sessionsIn(project, name),
    ...sessionsDrivenFor(project, name),
    ...sessionsMetered(project, name),
  ]);
  for (const session of sessions) {
    const pid = processOfSession(session, clientVariables);
    if (pid !== null)
      throw new NotNow(
        `a session of ${name} lives (${session}, process ${pid}), and only a person grants more: end it first, or grant it in a terminal with \`${project.cli} resume ${name}\` and the same flags, then continue without them.`,
      );
  }
}

function sessionsIn({ root }: Project, name: string): readonly string[] {
  try {
    return readSidecar(root, name).sessions;
  } catch {
    return []; // Notes that cannot be read name none; the driver's record does.
  }
}

/** Whose stops the budget has counted: an agent may have taken its session out of the notes, which lie in the project. */
function sessionsMetered(project: Project, name: string): readonly string[] {
  const budget = readBudget(project, name);
  return [budget?.meter.session ?? [], budget?.clock.from?.session ?? []].flat();
}

/** For the notice. */
export function inWords({ command }: Grantor): string {
  return `${userName()}, with \`holdfast ${command}\``;
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.geteuid?.() ?? 'unknown'}`; // One without a name.
  }
}
