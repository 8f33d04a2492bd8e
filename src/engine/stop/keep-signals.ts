// A run that is not served at this stop, or could not be written: a completion signal that was given is kept and
// honoured at the run's next step. Every way a stop can pass a run by ends here:
//   another run holds or asks for quiet, plan mode   → kept in the run's sidecar
//   a review of another run is about to start        → the same, before it: the hook may not live to see its end
//   a check is about to run, for this run's signal   → the same
//   the lock is busy, the disk full or read-only     → as a word beside the sidecars (store/kept.ts)
// Where not even that can be written a notice says so: a transcript is not searched for signals of earlier stops, since
// it lags, and nothing in it distinguishes a signal that was honoured from one that was not.

import { keepWord } from '../../store/kept.ts';
import { withLock } from '../../store/lock.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { isServed, runName, type StopContext } from '../context.ts';
import { clockAtStop } from '../waiting/clock.ts';
import type { GivenSignal } from '../workflow.ts';
import { findRuns, type RunHere } from './find-runs.ts';
import { writeJournal } from './journal.ts';
import { notices } from './notices.ts';

/** `unwritable`: serving the run has just failed, so its sidecar is not tried again. */
type Passed = 'writable' | 'unwritable';

/** For a stop at which no run was served. Answers with a notice for each signal that could not be kept. */
export async function keepAllSignals(passed: Passed, context: StopContext): Promise<string[]> {
  try {
    return await keepSignals(await findRuns(context), passed, context);
  } catch {
    return []; // Which runs there are is unknown: that trouble is explained already, or comes at the next stop.
  }
}

/** Answers with a notice for each signal that could not be kept. */
export async function keepSignals(
  runs: readonly RunHere[],
  passed: Passed,
  context: StopContext,
): Promise<string[]> {
  const { project } = context;
  const lost: string[] = [];
  for (const here of runs) {
    const name = runName(here.workflow.name, here.run);
    try {
      // An error that passes must not cost the signal.
      const given = await signalGiven(here, context).catch(() => signalGiven(here, context));
      if (given === null) continue;
      const { word, state } = given;
      // A commit may be seen by all and still have failed: what was said is spent, and not about the state after it.
      if (passed === 'unwritable' && state !== (context.decidedOn.get(name) ?? state)) continue;
      if (passed === 'writable' && (await isSaved(here, word, context))) continue;
      if (!keepWord({ root: project.root, env: project.env, run: name }, word))
        lost.push(notices.signalLost(name, project.cli));
    } catch (error) {
      // The answer is found already: trouble with another run must not lose it.
      writeJournal(context, { kind: 'failed', name, error });
    }
  }
  return lost;
}

/** Without the lock: a sidecar is always whole, and the word says which state it is about. */
async function signalGiven(
  { workflow, run }: RunHere,
  { stop, project }: StopContext,
): Promise<GivenSignal | null> {
  const sidecar = readSidecar(project.root, runName(workflow.name, run));
  if (!isServed(sidecar, stop)) return null;
  const now = clockAtStop(sidecar, project.now);
  return (await workflow.signalGiven?.({ project, run, stop, now, saved: sidecar.saved })) ?? null;
}

async function isSaved({ workflow, run }: RunHere, word: string, context: StopContext): Promise<boolean> {
  const { project, runtime, stop } = context;
  const name = runName(workflow.name, run);
  try {
    await withLock(project.home, runtime.lockPatienceMs, () => {
      const sidecar = readSidecar(project.root, name);
      if (!isServed(sidecar, stop)) return;
      const saved = workflow.keepSignal?.(sidecar.saved, word);
      if (JSON.stringify(saved) !== JSON.stringify(sidecar.saved))
        writeSidecar(project.root, { ...sidecar, saved });
    });
    return true;
  } catch (error) {
    writeJournal(context, { kind: 'failed', name, error });
    return false;
  }
}
