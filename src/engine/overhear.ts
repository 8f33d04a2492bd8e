// Another run holds this stop: what a later one must not forget of it (a completion signal) is kept in the
// later one's sidecar and honoured at its next step.

import type { Stop } from '../clients/stop.ts';
import { withLock } from '../store/lock.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
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
  for (const { workflow, run } of runs) {
    await withLock(project.home, machinery.lockPatienceMs, async () => {
      const sidecar = readSidecar(project.root, runName(workflow.name, run));
      if (!isServed(sidecar, stop)) return;
      const own = await workflow.use((loaded) => loaded.overhear?.({ project, run, stop, own: sidecar.own }));
      if (own !== undefined) writeSidecar(project.root, { ...sidecar, own });
    });
  }
}
