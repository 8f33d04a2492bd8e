// The loop that was changed last, and those that nobody has finished.

import type { Project } from '../../engine/project.ts';
import type { UnfinishedRun } from '../../engine/workflow.ts';
import { stateDirOf } from './files.ts';
import { newestLoop, readLoops } from './loops.ts';
import { isFinished } from './state-format.ts';

export function newestRun(project: Project): string | null {
  return newestLoop(stateDirOf(project));
}

/** An unknown phase counts as unfinished: nobody has said that it is over. */
export function unfinishedRuns(project: Project): UnfinishedRun[] {
  return readLoops(stateDirOf(project))
    .filter(({ loop }) => !isFinished(loop.phase))
    .map(({ id }) => ({ run: `claudex:${id}`, adopt: `${project.cli} adopt claudex:${id}` }));
}
