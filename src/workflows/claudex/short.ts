// The loops that go on in a few letters each, for a status line.

import type { Project } from '../../engine/project.ts';
import type { ShortRun } from '../../engine/workflow.ts';
import { stateDirOf } from './files.ts';
import { readLoops } from './loops.ts';
import { isFinished } from './state-format.ts';
import { readVariables } from './variables.ts';

export function liveRuns(project: Project): ShortRun[] {
  const going = readLoops(stateDirOf(project)).filter(({ loop }) => !isFinished(loop.phase));
  return going.map(({ id, loop }) => {
    if (loop.mode !== 'plan') return { run: id, stands: loop.phase };
    const most = loop.maxRounds ?? readVariables(project.root, project.env).planRounds;
    return { run: id, stands: `${loop.phase} ${Math.min(loop.round, most)}/${most}` };
  });
}
