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
import { filesOf, type Place, placeOf } from './place.ts';
import { redecide } from './record.ts';
import { isFinished, type Loop } from './state.ts';
import { type KnownLoop, readLoops } from './store.ts';

export const desk: Desk = {
  commands: [plan, review, done, wait, status, doctor, cancel, rollback],
  runs: listRuns,
  places: (project) => [{ path: placeOf(project).folder, kind: 'folder' }],
  cancel: cancelLoop,
  redecide,
  explain,
  demo: () => import('./demo.ts').then((module) => module.demo),
};

function listRuns(project: Project): RunSummary[] {
  const place = placeOf(project);
  return readLoops(place).map((known) => {
    const report = reportOrNone(known, place, project);
    const problem = problemOf(known.text, known.loop);
    const detail = problem === null ? report : { ...report, unreadable: problem };
    return {
      run: known.id,
      file: filesOf(place, known.id).state,
      live: !isFinished(known.loop.phase),
      stage: stageOf(known, project),
      detail,
    };
  });
}

/** What is wrong with a state file that could be read, as far as nobody can tell from it where the loop stands. */
function problemOf(text: string, loop: Loop): string | null {
  if (text.trim() === '') return 'the file is empty';
  if (loop.phase !== 'unknown' || loop.mode !== 'unknown') return null;
  return 'it has neither a `mode:` nor a `phase:` that is known';
}

/** One that cannot be looked at must not hide the others. */
function reportOrNone(known: KnownLoop, place: Place, project: Project): RunSummary['detail'] {
  try {
    const { id: _, ...report } = reportOn(known, place, project);
    return report;
  } catch {
    return {};
  }
}
