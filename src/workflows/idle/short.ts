// The loop in a few letters, for a status line.

import type { Project } from '../../engine/project.ts';
import type { ShortRun } from '../../engine/workflow.ts';
import { loopClock } from './clock.ts';
import { isActive } from './decide.ts';
import { readLoop } from './read-loop.ts';
import { NOTHING_SAVED } from './saved.ts';
import { HOOK_REACH } from './topic-log.ts';

export function liveRuns(project: Project): ShortRun[] {
  const { state, run } = readLoop(project.root, NOTHING_SAVED, HOOK_REACH);
  if (run === null || !isActive(state, loopClock(project, run))) return [];
  const top = state.stack.at(-1);
  return top === undefined ? [] : [{ run, stands: `${top.iter}/${top.max}` }];
}
