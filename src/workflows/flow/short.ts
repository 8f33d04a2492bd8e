// The flows that go on in a few letters each, for a status line.

import type { Project } from '../../engine/project.ts';
import type { ShortRun } from '../../engine/workflow.ts';
import { listRuns } from './files.ts';
import { readRun } from './read-run.ts';

/** Of the newest: a line has no room for more. */
const MOST = 5;

export function liveRuns({ root }: Project): ShortRun[] {
  return listRuns(root)
    .slice(0, MOST)
    .flatMap((run): ShortRun[] => {
      const state = readRun(root, run)?.state;
      if (state?.kind !== 'at') return [];
      return [{ run, stands: `${state.flow} ${state.at} ${state.held}/${state.most}` }];
    });
}
