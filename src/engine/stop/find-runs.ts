// Which runs a stop concerns: those bound to its session, in the order of precedence; for a stop fired by
// hand, the newest of each workflow. And, rarely, runs that are nobody's here: those are only spoken of.

import fs from 'node:fs';
import type { Stop } from '../../clients/stop.ts';
import { isDenied } from '../../store/files.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { isFirstNotice } from '../../store/notified.ts';
import { below } from '../../store/paths.ts';
import { NEW_SESSION, type SessionIndex } from '../../store/records.ts';
import { bind, readSession, readSidecar, writeSession } from '../../store/sidecars.ts';
import { hasTickets, isRunWaiting, takeTickets } from '../../store/tickets.ts';
import type { Machinery, RegistryEntry } from '../context.ts';
import type { Project } from '../project.ts';
import { isHandFired, isServed } from '../visit.ts';
import type { AnyWorkflow, LiveRun } from '../workflow.ts';

export type RunHere = { workflow: AnyWorkflow; run: string };

export async function findRuns(stop: Stop, project: Project, machinery: Machinery): Promise<RunHere[]> {
  const present = presentIn(project, machinery);
  if (isHandFired(stop)) return newestOfEach(present, project);
  return ownRuns(readSession(project.root, stop.session ?? ''), present, project);
}

/** The session forgets runs that are over, so that a hundred finished ones cost nothing. */
export async function forgetRuns(
  names: readonly string[],
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<void> {
  const { session } = stop;
  if (session === null || names.length === 0) return;
  await withLock(project.home, machinery.lockPatienceMs, () => {
    const index = readSession(project.root, session);
    if (index === null) return;
    writeSession(project.root, session, { ...index, runs: index.runs.filter((run) => !names.includes(run)) });
  });
}

async function newestOfEach(present: readonly RegistryEntry[], project: Project): Promise<RunHere[]> {
  const found: RunHere[] = [];
  for (const workflow of await loadEnabled(present, project)) {
    const run = workflow.use((loaded) => loaded.newest(project));
    if (run !== null) found.push({ workflow, run });
  }
  return found;
}

/** A run started in a plain terminal waits for the next session that stops here. A session's start claims nothing. */
export async function claimTickets(stop: Stop, project: Project, machinery: Machinery): Promise<void> {
  const { session } = stop;
  if (session === null || isHandFired(stop) || !hasTickets(project.root, project.env)) return;
  ensureHome(project.root);
  await withLock(project.home, machinery.lockPatienceMs, () => {
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

/**
 * Looked for at a session's first stop and when a workflow's folder changed; each is spoken of once per session, so
 * whoever asks must tell the user.
 */
export async function findStrangers(
  stop: Stop,
  project: Project,
  machinery: Machinery,
): Promise<readonly LiveRun[]> {
  const { session } = stop;
  if (session === null || isHandFired(stop)) return [];
  const index = readSession(project.root, session);
  const present = presentIn(project, machinery);
  const times = new Map(present.map((entry) => [entry.name, newestChange(entry, project.root)]));
  const changed = present.filter((entry) => index?.looked[entry.name] !== times.get(entry.name));
  if (changed.length === 0) return [];
  const workflows = await loadEnabled(changed, project);
  const live = workflows.flatMap((workflow) => liveRuns(workflow, project));
  const strangers = live.filter(
    (run) => !isOurs(project, run.run, stop, index) && !index?.told.includes(run.run),
  );
  try {
    ensureHome(project.root);
    await withLock(project.home, machinery.lockPatienceMs, () => {
      for (const workflow of workflows) putAway(workflow, project);
      const known = readSession(project.root, session) ?? NEW_SESSION;
      writeSession(project.root, session, {
        ...known,
        looked: { ...known.looked, ...Object.fromEntries(times) },
        told: [...known.told, ...strangers.map((run) => run.run)],
      });
    });
  } catch (error) {
    // Notes of another user, a read-only disk: no trouble of a session that has no run here. It looks again.
    if (!isDenied(error)) throw error;
    return strangers.filter(({ run }) => isFirstNotice(project.root, session, run, project.env));
  }
  return strangers;
}

/** A stranger's broken state must not cost this session its own runs. */
function liveRuns(workflow: AnyWorkflow, project: Project): readonly LiveRun[] {
  try {
    return workflow.use((loaded) => loaded.live(project));
  } catch {
    return [];
  }
}

/** Mere tidying: trouble with it must not cost the user a notice. */
function putAway(workflow: AnyWorkflow, project: Project): void {
  try {
    workflow.use((loaded) => loaded.putAway?.(project));
  } catch {
    // It is tried again at the next stop that looks.
  }
}

function isOurs(project: Project, name: string, stop: Stop, index: SessionIndex | null): boolean {
  // One that only its sidecar calls ours is not served by the index: it must at least be spoken of.
  if (index?.runs.includes(name) !== true) return false;
  try {
    return isServed(readSidecar(project.root, name), stop);
  } catch {
    return true; // Unreadable notes: serving the run says what is wrong with them.
  }
}

async function loadEnabled(entries: readonly RegistryEntry[], project: Project): Promise<AnyWorkflow[]> {
  const workflows = await Promise.all(entries.map((entry) => entry.load()));
  return workflows.filter((workflow) => !workflow.use((loaded) => loaded.disabled(project.env)));
}

function presentIn({ root, env }: Project, machinery: Machinery): RegistryEntry[] {
  return machinery.registry.filter(
    (entry) =>
      entry.traces.some((trace) => fs.existsSync(below(root, trace))) ||
      entry.presentElsewhere?.(env) === true,
  );
}

function newestChange(entry: RegistryEntry, root: string): number {
  return Math.max(...entry.traces.map((trace) => timeOf(below(root, trace))));
}

/** A link that goes in circles has no time; it must not cost a session its own runs. */
function timeOf(file: string): number {
  try {
    return fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
