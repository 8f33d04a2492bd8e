// The project's loop, and whether it goes on. There is one at a time, whoever's it is.

import type { Project } from '../../engine/project.ts';
import type { UnfinishedRun } from '../../engine/workflow.ts';
import { loopClock } from './clock.ts';
import { isActive } from './decide.ts';
import { readLoop } from './read-loop.ts';
import { NOTHING_SAVED } from './saved.ts';
import { HOOK_REACH } from './topic-log.ts';

/** The run that is spoken of when nothing says which one it is. */
export const NAMELESS = 'current';

export function newestRun({ root }: Project): string | null {
  try {
    const { state, run } = readLoop(root, NOTHING_SAVED, HOOK_REACH);
    return state.kind === 'nothing' ? null : (run ?? NAMELESS);
  } catch {
    return NAMELESS; // Read again when the run is served, where an error is shown to the user.
  }
}

export function unfinishedRuns(project: Project): UnfinishedRun[] {
  try {
    const { state, run } = readLoop(project.root, NOTHING_SAVED, HOOK_REACH);
    if (run === null || !isActive(state, loopClock(project, run))) return [];
    return [{ run: `idle:${run}`, adopt: `${project.cli} adopt idle:${run}` }];
  } catch {
    return [];
  }
}
