// claudex at the command line.

import type { Desk, RunSummary } from '../../engine/desk.ts';
import type { Project } from '../../engine/project.ts';
import { cancel, cancelLoop } from './commands/cancel.ts';
import { reportOn, stageOf } from './commands/describe.ts';
import { doctor } from './commands/doctor.ts';
import { done } from './commands/done.ts';
import { plan } from './commands/plan.ts';
import { review } from './commands/review.ts';
import { rollback } from './commands/rollback.ts';
import { status } from './commands/status.ts';
import { wait } from './commands/wait.ts';
import { explain } from './explain.ts';
import { placeOf } from './place.ts';
import { redecide } from './record.ts';
import { isFinished } from './state.ts';
import { readLoops } from './store.ts';

export const desk: Desk = {
  commands: [plan, review, done, wait, status, doctor, cancel, rollback],
  runs: listRuns,
  cancel: cancelLoop,
  redecide,
  explain,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

function listRuns(project: Project): RunSummary[] {
  const place = placeOf(project);
  return readLoops(place).map((known) => {
    const { id: _, ...detail } = reportOn(known, place, project);
    return {
      run: known.id,
      live: !isFinished(known.loop.phase),
      stage: stageOf(known, project),
      detail,
    };
  });
}
