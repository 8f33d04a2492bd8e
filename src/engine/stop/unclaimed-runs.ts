// Unfinished runs in the project that are not this session's: they never hold it, but the user is shown how to adopt them.

import type { Stop } from '../../clients/stop.ts';
import { changedAt, isDenied } from '../../store/files.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { isFirstNotice } from '../../store/notified.ts';
import { below } from '../../store/paths.ts';
import { NEW_SESSION, type SessionIndex } from '../../store/records.ts';
import { readSession, readSidecar, writeSession } from '../../store/sidecars.ts';
import { isHandFired, isServed, type StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { AnyWorkflow, RegistryEntry, UnfinishedRun } from '../workflow.ts';
import { loadEnabled, presentIn } from './find-runs.ts';

/**
 * Looked for at a session's first stop and when a workflow's folder changed; each is shown once per session, so
 * whoever asks must show it.
 */
export async function findUnclaimedRuns({
  stop,
  project,
  runtime,
}: StopContext): Promise<readonly UnfinishedRun[]> {
  const { session } = stop;
  if (session === null || isHandFired(stop)) return [];
  const index = readSession(project.root, session);
  const present = presentIn(project, runtime);
  const times = new Map(present.map((entry) => [entry.name, newestChange(entry, project.root)]));
  const changed = present.filter((entry) => index?.looked[entry.name] !== times.get(entry.name));
  if (changed.length === 0) return [];
  const workflows = await loadEnabled(changed, project);
  const unfinished = workflows.flatMap((workflow) => unfinishedRuns(workflow, project));
  const unclaimed = [
    ...unfinished.filter((run) => !isOurs(project, run.run, stop, index)),
    ...(await unusedRuns(workflows, project)),
  ].filter((run) => !index?.notified.includes(run.run));
  try {
    ensureHome(project.root);
    await withLock(project.home, runtime.lockPatienceMs, () => {
      for (const workflow of workflows) putAway(workflow, project);
      const known = readSession(project.root, session) ?? NEW_SESSION;
      writeSession(project.root, session, {
        ...known,
        looked: { ...known.looked, ...Object.fromEntries(times) },
        notified: [...known.notified, ...unclaimed.map((run) => run.run)],
      });
    });
  } catch (error) {
    // Files of another user, a read-only disk: no trouble of a session that has no run here. It looks again.
    if (!isDenied(error)) throw error;
    return unclaimed.filter(({ run }) => isFirstNotice(project.root, session, run, project.env));
  }
  return unclaimed;
}

/** A stop that is fired by hand is served by the newest run: what may be meant instead is said with it, held or not. */
export async function findUnusedByHand({
  stop,
  project,
  runtime,
}: StopContext): Promise<readonly UnfinishedRun[]> {
  if (!isHandFired(stop)) return [];
  return unusedRuns(await loadEnabled(presentIn(project, runtime), project), project);
}

async function unusedRuns(workflows: readonly AnyWorkflow[], project: Project): Promise<UnfinishedRun[]> {
  const found: UnfinishedRun[] = [];
  for (const workflow of workflows)
    try {
      found.push(...((await workflow.unusedRuns?.(project)) ?? []));
    } catch {
      // As with those below: it must not cost this session its own runs.
    }
  return found;
}

/** Another run's broken state must not cost this session its own runs. */
function unfinishedRuns(workflow: AnyWorkflow, project: Project): readonly UnfinishedRun[] {
  try {
    return workflow.unfinishedRuns(project);
  } catch {
    return [];
  }
}

/** Mere tidying: trouble with it must not cost the user a notice. */
function putAway(workflow: AnyWorkflow, project: Project): void {
  try {
    workflow.putAway?.(project);
  } catch {
    // It is tried again at the next stop that looks.
  }
}

function isOurs(project: Project, name: string, stop: Stop, index: SessionIndex | null): boolean {
  // One that only its sidecar calls ours is not served by the index: it must at least be spoken of.
  if (index?.runs.includes(name) !== true) return false;
  try {
    const sidecar = readSidecar(project.root, name);
    // Handed over, it has its driver.
    return isServed(sidecar, stop) || sidecar.handover?.session === stop.session;
  } catch {
    return true; // Unreadable notes: serving the run says what is wrong with them.
  }
}

function newestChange(entry: RegistryEntry, root: string): number {
  return Math.max(...entry.traces.map((trace) => changedAt(below(root, trace))));
}
