// One question is on record in every run of the session. What a stop makes of it where a run is not served is noted here:
// it is shown once, and once answered it is open nowhere.

import { withLock } from '../../store/lock.ts';
import type { Sidecar, Waiting } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { isServed, runName, type StopContext } from '../context.ts';
import type { RunHere } from '../stop/find-runs.ts';
import { writeJournal } from '../stop/journal.ts';
import { shownAt } from './at-stop.ts';
import { isOver } from './clock.ts';
import { withWait } from './on-record.ts';
import { isUnshown } from './wait.ts';
import { questionNotice } from './words.ts';

export function noteShown(runs: readonly RunHere[], { shown }: Waiting, context: StopContext): Promise<void> {
  return inEach(runs, context, (sidecar, waiting) =>
    isUnshown(waiting) ? { ...sidecar, waiting: { ...waiting, shown } } : sidecar,
  );
}

export function noteAnswered(
  runs: readonly RunHere[],
  { since, what }: Waiting,
  context: StopContext,
): Promise<void> {
  return inEach(runs, context, (sidecar, waiting) => {
    const isSame = waiting.for === 'person' && waiting.since === since && waiting.what === what;
    return isSame ? withWait(sidecar, { waiting: null, ended: waiting }, context.project.now) : sidecar;
  });
}

/** At a stop that serves no run: the notices by which the questions are shown all the same. */
export async function showQuestions(runs: readonly RunHere[], context: StopContext): Promise<string[]> {
  const said = new Set<string>();
  await inEach(runs, context, (sidecar, waiting) => {
    if (!isUnshown(waiting) || isOver(waiting, context.project.now)) return sidecar;
    said.add(questionNotice(waiting));
    return { ...sidecar, waiting: shownAt(waiting, context.stop) };
  });
  return [...said];
}

async function inEach(
  runs: readonly RunHere[],
  context: StopContext,
  change: (sidecar: Sidecar, waiting: Waiting) => Sidecar,
): Promise<void> {
  const { project, runtime, stop } = context;
  for (const { workflow, run } of runs) {
    const name = runName(workflow.name, run);
    try {
      await withLock(project.home, runtime.lockPatienceMs, () => {
        const sidecar = readSidecar(project.root, name);
        if (sidecar.waiting === undefined || !isServed(sidecar, stop)) return;
        const next = change(sidecar, sidecar.waiting);
        if (next !== sidecar) writeSidecar(project.root, next);
      });
    } catch (error) {
      // The answer is found already, and at worst the question is shown twice.
      writeJournal(context, { kind: 'failed', name, error });
    }
  }
}
