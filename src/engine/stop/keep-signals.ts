// A run that is not served at this stop, or could not be written: what a later stop must not forget of this one (a
// completion signal) is kept and honoured at the run's next step. Every way a stop can pass a run by ends here:
//   another run holds or asks for quiet, plan mode   → kept in the run's sidecar
//   a review of another run is about to start        → the same, before it: the hook may not live to see its end
//   the lock is busy, the disk full or read-only     → as a word beside the sidecars (store/kept.ts)
// Where not even that can be written the user is told: a transcript is not searched for signals of earlier stops, since
// it lags, and nothing in it tells a signal that was honoured from one that was not.

import type { Stop } from '../../clients/stop.ts';
import { keepWord } from '../../store/kept.ts';
import { withLock } from '../../store/lock.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { writeJournal } from './journal.ts';
import type { Machinery } from '../context.ts';
import { notices } from './notices.ts';
import type { Project } from '../project.ts';
import type { RunHere } from './find-runs.ts';
import { isServed, runName } from '../visit.ts';
import type { Overheard } from '../workflow.ts';

/** `unwritable`: serving the run has just failed, so its sidecar is not tried again. */
export type Passed = 'writable' | 'unwritable';

/** The runs that were served at this stop, and the fingerprint of the state each was found in. */
export type Decided = Map<string, string>;

/** Answers with a notice for each signal that could not be kept. */
export async function overhearAll(
  runs: readonly RunHere[],
  passed: Passed,
  stop: Stop,
  project: Project,
  machinery: Machinery,
  decided: Decided = new Map(),
): Promise<string[]> {
  const lost: string[] = [];
  for (const here of runs) {
    const name = runName(here.workflow.name, here.run);
    try {
      const heard = await hear(here, stop, project);
      if (heard === null) continue;
      const { word, state } = heard;
      // A commit may be seen by all and still have failed: what was said is spent, and not about the state after it.
      if (state !== (decided.get(name) ?? state)) continue;
      if (passed === 'writable' && (await isNoted(here, word, stop, project, machinery))) continue;
      if (!keepWord({ root: project.root, env: project.env, run: name }, word))
        lost.push(notices.signalLost(name, project.cli));
    } catch (error) {
      // The answer is found already: trouble with another run must not lose it.
      writeJournal(project, stop, { kind: 'failed', name, error });
    }
  }
  return lost;
}

/** Without the lock: a sidecar is always whole, and the word says which state it is about. */
async function hear({ workflow, run }: RunHere, stop: Stop, project: Project): Promise<Overheard | null> {
  const sidecar = readSidecar(project.root, runName(workflow.name, run));
  if (!isServed(sidecar, stop)) return null;
  return workflow.use(async (loaded) => loaded.hear?.({ project, run, stop, own: sidecar.own }) ?? null);
}

async function isNoted(
  { workflow, run }: RunHere,
  word: string,
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<boolean> {
  const name = runName(workflow.name, run);
  try {
    await withLock(project.home, machinery.lockPatienceMs, () => {
      const sidecar = readSidecar(project.root, name);
      if (!isServed(sidecar, stop)) return;
      const own = workflow.use((loaded) => loaded.remember?.(sidecar.own, word));
      if (JSON.stringify(own) !== JSON.stringify(sidecar.own))
        writeSidecar(project.root, { ...sidecar, own });
    });
    return true;
  } catch (error) {
    writeJournal(project, stop, { kind: 'failed', name, error });
    return false;
  }
}
