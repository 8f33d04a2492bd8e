// The plan that was changed last, and those that wait for somebody: their next phase is set, whoever's they are.

import type { Project } from '../../engine/project.ts';
import type { UnfinishedRun } from '../../engine/workflow.ts';
import { listPlans, readStateFile } from './files.ts';
import { planOption } from './names.ts';
import { readState } from './state-format.ts';

export function newestRun({ root }: Project): string | null {
  return listPlans(root)[0] ?? null;
}

export function unfinishedRuns(project: Project): UnfinishedRun[] {
  return listPlans(project.root)
    .filter((plan) => hasNext(project.root, plan))
    .map((plan) => ({
      run: `taskie:${plan}`,
      adopt: `/taskie:continue-plan, or \`${project.cli} taskie next ${planOption(plan)}\``,
    }));
}

/** Of so many at most: the rest is like them. */
const MOST_UNUSED = 3;

export async function unusedRuns(project: Project): Promise<UnfinishedRun[]> {
  const { describeUnused, unusedPlans } = await import('./unused-plans.ts');
  return unusedPlans(project)
    .slice(0, MOST_UNUSED)
    .map((plan) => ({ run: `taskie:${plan.run}`, adopt: '', unused: describeUnused(plan) }));
}

function hasNext(root: string, plan: string): boolean {
  const state = readState(readStateFile(root, plan));
  return state.kind === 'known' && state.next !== null;
}
