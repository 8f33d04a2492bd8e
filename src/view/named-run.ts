// The run that a command which looks back is about: one that is there, or one that only the journal still knows.

import { runName } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { history } from './history.ts';
import { allRuns, pickRun, wordOrFlag } from './runs.ts';

/** In full (`<workflow>:<id>`); undefined: the command names none. */
export async function namedRun(
  call: Pick<Call, 'words' | 'flags'>,
  project: Project,
): Promise<string | undefined> {
  const named = wordOrFlag(call);
  if (named === undefined) return undefined;
  const known = new Map((await allRuns(project)).map(({ name, run }) => [name, { name, run }]));
  for (const { workflow, run } of history(project)) {
    if (workflow === null || run === null) continue;
    const name = runName(workflow, run);
    known.set(name, { name, run });
  }
  return pickRun([...known.values()], named).name;
}
