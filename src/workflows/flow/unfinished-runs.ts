// The run that changed last, and those that go on, whoever's they are.

import type { Project } from '../../engine/project.ts';
import type { UnfinishedRun } from '../../engine/workflow.ts';
import { listRuns } from './files.ts';
import { readRun } from './read-run.ts';

export function newestRun({ root }: Project): string | null {
  return listRuns(root)[0] ?? null;
}

export function unfinishedRuns(project: Project): UnfinishedRun[] {
  return listRuns(project.root)
    .filter((run) => readRun(project.root, run)?.state.kind === 'at')
    .map((run) => ({ run: `flow:${run}`, adopt: `${project.cli} adopt flow:${run}` }));
}
