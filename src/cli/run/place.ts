// Where a run is started and driven: a folder and an environment, and the calls of commands in them.

import type { Project } from '../../engine/project.ts';
import { rootForNewRun } from '../../engine/session-root.ts';
import { allTraces, findRootOfCommand, openProject } from '../../engine/stop/find-project.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import type { Environment } from '../../store/environment.ts';
import { readSession } from '../../store/sidecars.ts';
import { waitingRuns } from '../../store/tickets.ts';
import type { Parsed } from '../arguments.ts';

export type Place = {
  env: Environment;
  forNewRun(): Promise<Project>;
  /** A command's call as somebody with that environment makes it there. */
  call(parsed: Parsed, print: (line: string) => void): Call;
  as(env: Environment): Place;
  /** The run that this session was given last. */
  runOf(session: string): Promise<string | null>;
  /** Runs that wait for the next session. */
  tickets(): Promise<readonly string[]>;
  newTicket(before: readonly string[]): Promise<string | null>;
};

export function placeFor(folder: string, call: Call, env: Environment): Place {
  const runtime = { ...runtimeHere(env), cwd: folder };
  const forNewRun = (): Promise<Project> =>
    openProject(rootForNewRun(folder, allTraces(runtime), env, `${runtime.cli} run`), runtime);
  const tickets = async (): Promise<readonly string[]> => {
    const { root, now } = await forNewRun();
    return waitingRuns(root, now, env);
  };
  return {
    env,
    forNewRun,
    call: ({ flags, words, amongWords }, print) => ({
      ...{
        flags,
        words,
        amongWords,
        env,
        cwd: folder,
        now: runtime.now,
        stdin: call.stdin,
        print,
        forNewRun,
        forAgent: true as const,
      },
      async existing() {
        const root = findRootOfCommand(folder, null, runtime);
        return root === null ? null : openProject(root, runtime);
      },
    }),
    as: (other) => placeFor(folder, call, other),
    async runOf(session) {
      const { root } = await forNewRun();
      return readSession(root, session)?.runs.at(-1) ?? null;
    },
    tickets,
    async newTicket(before) {
      const now = await tickets();
      return now.find((run) => !before.includes(run)) ?? now.at(-1) ?? null;
    },
  };
}
