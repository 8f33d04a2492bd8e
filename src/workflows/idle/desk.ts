// idle at the command line.

import type { Desk, RunSummary } from '../../engine/desk.ts';
import type { Project } from '../../engine/project.ts';
import { cancel, cancelAll } from './commands/cancel.ts';
import { grind } from './commands/grind.ts';
import { issue } from './commands/issue.ts';
import { loop } from './commands/loop.ts';
import { describeStage, loopOf, loopToChange } from './commands/loops.ts';
import { resume } from './commands/resume.ts';
import { report, status } from './commands/status.ts';
import { isLive } from './decide.ts';
import { explain } from './explain.ts';
import { NAMELESS } from './observe.ts';
import { redecide } from './record.ts';

export const desk: Desk = {
  commands: [loop, issue, grind, status, cancel, resume],
  runs,
  cancel: (project) => cancelAll(project, loopToChange(project)),
  redecide,
  explain,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

/** One project has one loop; what went before it is the log's to tell. One that cannot be read is listed too. */
function runs(project: Project): RunSummary[] {
  try {
    return runsIn(project);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return [
      { run: NAMELESS, live: false, stage: 'its state cannot be read', detail: { unreadable: problem } },
    ];
  }
}

function runsIn(project: Project): RunSummary[] {
  const current = loopOf(project);
  const { state, run } = current;
  if (state.kind === 'nothing') return [];
  return [
    {
      run: run ?? NAMELESS,
      live: isLive(state, project.now),
      stage: describeStage(state, project.now),
      detail: report(project, current),
    },
  ];
}
