// Another run holds this stop: what a later one must not forget of it (a completion signal) is kept in the
// later one's sidecar and honoured at its next step.

import type { Stop } from '../clients/stop.ts';
import { withLock } from '../store/lock.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from './machinery.ts';
import type { Project } from './project.ts';
import type { RunHere } from './runs.ts';
import { isServed, runName } from './visit.ts';

export async function overhearAll(
  runs: readonly RunHere[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<void> {
  for (const here of runs) {
    try {
      await overhear(here, stop, project, machinery);
    } catch (error) {
      // The hold is committed already: trouble with another run must not lose it.
      writeJournal(project, stop, { kind: 'failed', name: runName(here.workflow.name, here.run), error });
    }
  }
}

function overhear(here: RunHere, stop: Stop, project: Project, machinery: Machinery): Promise<void> {
  const { workflow, run } = here;
  return withLock(project.home, machinery.lockPatienceMs, async () => {
    const sidecar = readSidecar(project.root, runName(workflow.name, run));
    if (!isServed(sidecar, stop)) return;
    const own = await workflow.use((loaded) => loaded.overhear?.({ project, run, stop, own: sidecar.own }));
    if (own !== undefined) writeSidecar(project.root, { ...sidecar, own });
  });
}
