// A start in the session of an agent that is driven: in its run, or beside it. It is no way around what that run may
// spend: nothing is started where the run does not go on, and nothing gets more than the run has left.

import type { Project } from '../project.ts';
import type { RegistryEntry } from '../workflow.ts';
import { NotNow, type RunSummary } from '../workflow-cli.ts';
import { drivesHere } from './its-agent.ts';

/** `left`: iterations, rounds or the like that the run has left; null: nothing bounds them. */
export type DrivenAround = { run: string; left: number | null };

/** Null: this is not the shell of an agent that is driven, or the start is the one that it is driven for. */
export async function drivenAround(
  project: Project,
  workflow: string,
  registry: readonly RegistryEntry[],
): Promise<DrivenAround | null> {
  const [driven] = drivesHere(project);
  if (driven === undefined) return null;
  const { run, workflow: its } = driven;
  if (run === null && its === workflow) return null;
  if (run === null)
    throw new NotNow(
      `a run of ${its} is to be begun here, for \`holdfast run\`: begin that one before anything beside it.`,
    );
  const cli = await registry.find(({ name }) => name === its)?.cli();
  const summary = cli?.runs(project).find((each) => `${its}:${each.run}` === run);
  if (!summary?.live)
    throw new NotNow(
      `${run}, which \`holdfast run\` drives here, does not go on (${summary?.stage ?? 'it is gone'}), so nothing is started beside it. If it is over, end your turn.`,
    );
  return { run, left: leftOf(summary) };
}

function leftOf({ shown }: RunSummary): number | null {
  const progress = shown?.().progress ?? null;
  return progress?.of === undefined || progress?.of === null ? null : Math.max(0, progress.of - progress.at);
}

/** No more than is left; `line` says so where that is less than was wanted. Refused where nothing is. */
export function atMostLeft(
  wanted: number,
  { run, left }: { run: string; left: number },
): { count: number; line: string | null } {
  if (left < 1)
    throw new NotNow(
      `${run}, which \`holdfast run\` drives here, has nothing left that this could have of it: finish what you are at, and end your turn.`,
    );
  if (wanted <= left) return { count: wanted, line: null };
  return {
    count: left,
    line: `It gets ${left}, not ${wanted}: that is what ${run}, which \`holdfast run\` drives here, has left.`,
  };
}
