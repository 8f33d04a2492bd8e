// All runs of a project, whichever workflow they belong to, and how a user names one.

import { type Desk, NotNow, type RunSummary } from '../engine/desk.ts';
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
