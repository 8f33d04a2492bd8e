// One question is on record in every run of the session. Whoever is not served at the stop that shows it is told here,
// so that it is not shown again by the next of them.

import { withLock } from '../../store/lock.ts';
import type { Waiting } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { isServed, runName, type StopContext } from '../context.ts';
import type { RunHere } from '../stop/find-runs.ts';
import { writeJournal } from '../stop/journal.ts';
import { isUnshown } from './wait.ts';

export async function noteShown(
  runs: readonly RunHere[],
  { shown }: Waiting,
  context: StopContext,
): Promise<void> {
  const { project, runtime, stop } = context;
  for (const { workflow, run } of runs) {
    const name = runName(workflow.name, run);
    try {
      await withLock(project.home, runtime.lockPatienceMs, () => {
        const sidecar = readSidecar(project.root, name);
        const { waiting } = sidecar;
        if (waiting === undefined || !isServed(sidecar, stop) || !isUnshown(waiting)) return;
        writeSidecar(project.root, { ...sidecar, waiting: { ...waiting, shown } });
      });
    } catch (error) {
      // The answer is found already, and at worst the question is shown twice.
      writeJournal(context, { kind: 'failed', name, error });
    }
  }
}
