// All runs of a project, whichever workflow they belong to, and how a user names one.

import { type Desk, NotNow, type RunSummary, type UnusedRun } from '../engine/desk.ts';
import type { RegistryEntry } from '../engine/machinery.ts';
import type { Project } from '../engine/project.ts';
import { runName } from '../engine/visit.ts';
import { newSidecar, type Sidecar } from '../store/records.ts';
import { readSidecar } from '../store/sidecars.ts';
import { registry } from '../workflows/registry.ts';

export type KnownRun = RunSummary & { name: string; workflow: RegistryEntry; desk: Desk; sidecar: Sidecar };

export async function allRuns(project: Project): Promise<KnownRun[]> {
  const lists = await Promise.all(
    registry.map(async (workflow) => {
      const desk = await workflow.desk();
      return desk.runs(project).map((summary) => {
        const name = runName(workflow.name, summary.run);
        return { ...summary, name, workflow, desk, sidecar: sidecarOrNew(project, name) };
      });
    }),
  );
  return lists.flat();
}

/** What looks like a run here and is not used, of all workflows. */
export async function unusedRuns(project: Project): Promise<(UnusedRun & { name: string })[]> {
  const lists = await Promise.all(
    registry.map(async (workflow) =>
      ((await workflow.desk()).unused?.(project) ?? []).map((unused) => ({
        ...unused,
        name: runName(workflow.name, unused.run),
      })),
    ),
  );
  return lists.flat();
}

/** A run that is there, but cannot be used, is not to be denied. */
export async function refuseUnused(project: Project, named: string): Promise<void> {
  const found = (await unusedRuns(project)).find(({ name, run }) => name === named || run === named);
  if (found !== undefined)
    throw new NotNow(`${found.name} is there, but is not used: ${found.why}. To use it, ${found.fix}.`);
}

/** The run a user named, in full (`claudex:<id>`) or by its id alone where that is clear. */
export function pickRun(runs: readonly KnownRun[], named: string): KnownRun {
  const found = runs.filter((run) => run.name === named || run.run === named);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (found.length > 1)
    throw new NotNow(`"${named}" could be ${found.map((run) => run.name).join(' or ')}; name it in full.`);
  throw new NotNow(`there is no run "${named}" in this project. \`holdfast status\` lists them.`);
}

/** Notes that cannot be read are doctor's business; a list still lists. */
function sidecarOrNew(project: Project, name: string): Sidecar {
  try {
    return readSidecar(project.root, name);
  } catch {
    return newSidecar(name);
  }
}
