// Which runs a stop concerns: those bound to its session, in the order of precedence; for a stop fired by
// hand, the newest of each workflow.

import fs from 'node:fs';
import type { Stop } from '../../clients/stop.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { below } from '../../store/paths.ts';
import type { SessionIndex } from '../../store/records.ts';
import { bind, readSession, readSidecar, writeSession } from '../../store/sidecars.ts';
import { hasTickets, isRunWaiting, takeTickets } from '../../store/tickets.ts';
import { isHandFired, type Runtime, type StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { AnyWorkflow, RegistryEntry } from '../workflow.ts';
import { isMoved } from './find-project.ts';

export type RunHere = { workflow: AnyWorkflow; run: string };

export async function findRuns({ stop, project, runtime }: StopContext): Promise<RunHere[]> {
  const present = presentIn(project, runtime);
  if (isHandFired(stop)) return newestOfEach(present, project);
  return ownRuns(readSession(project.root, stop.session ?? ''), present, project);
}

/** The session forgets runs that are over, so that a hundred finished ones cost nothing. */
export async function forgetRuns(
  names: readonly string[],
  { stop, project, runtime }: StopContext,
): Promise<void> {
  const { session } = stop;
  if (session === null || names.length === 0) return;
  await withLock(project.home, runtime.lockPatienceMs, () => {
    const index = readSession(project.root, session);
    if (index === null) return;
    writeSession(project.root, session, { ...index, runs: index.runs.filter((run) => !names.includes(run)) });
  });
}

async function newestOfEach(present: readonly RegistryEntry[], project: Project): Promise<RunHere[]> {
  const found: RunHere[] = [];
  for (const workflow of await loadEnabled(present, project)) {
    const run = workflow.newestRun(project);
    if (run !== null) found.push({ workflow, run });
  }
  return found;
}

/** A run started in a plain terminal waits for the next session that stops here. A session's start claims nothing. */
export async function claimTickets({ stop, project, runtime }: StopContext): Promise<void> {
  const { session } = stop;
  if (session === null || isHandFired(stop) || !hasTickets(project.root, project.env)) return;
  ensureHome(project.root);
  await withLock(project.home, runtime.lockPatienceMs, () => {
    takeTickets(project.root, project.now, project.env, (run) => {
      if (!hasSession(project, run)) bind(project.root, run, [session]);
    });
  });
}

/** A session adopted it since it was started in a terminal. */
function hasSession(project: Project, run: string): boolean {
  try {
    return readSidecar(project.root, run).sessions.length > 0;
  } catch {
    return false; // Binding writes unreadable notes again.
  }
}

/** Is there a run that the session would claim? */
export function isAwaited(stop: Stop, { root, now, env }: Project): boolean {
  return stop.session !== null && !isHandFired(stop) && isRunWaiting(root, now, env);
}

async function ownRuns(
  index: SessionIndex | null,
  present: readonly RegistryEntry[],
  project: Project,
): Promise<RunHere[]> {
  const names = index?.runs ?? [];
  const wanted = present.filter((entry) => names.some((name) => name.startsWith(`${entry.name}:`)));
  const workflows = await loadEnabled(wanted, project);
  return workflows.flatMap((workflow) =>
    names
      .filter((name) => name.startsWith(`${workflow.name}:`))
      .map((name) => ({ workflow, run: name.slice(workflow.name.length + 1) })),
  );
}

export async function loadEnabled(
  entries: readonly RegistryEntry[],
  project: Project,
): Promise<AnyWorkflow[]> {
  const workflows = await Promise.all(entries.map((entry) => entry.load()));
  return workflows.filter((workflow) => !workflow.disabled(project.env));
}

export function presentIn({ root, env }: Project, runtime: Runtime): RegistryEntry[] {
  return runtime.registry.filter(
    (entry) => entry.traces.some((trace) => fs.existsSync(below(root, trace))) || isMoved(entry, env),
  );
}
