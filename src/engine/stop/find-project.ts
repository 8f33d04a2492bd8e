// The project a stop belongs to: from its physical cwd, then from where the client was started.

import { sessionsOf, startFoldersIn } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { loadConfig } from '../../config/config.ts';
import { DRIVER_VARIABLE, type Environment } from '../../store/environment.ts';
import { homeOf } from '../../store/home.ts';
import { readSession } from '../../store/sidecars.ts';
import type { Runtime } from '../context.ts';
import { folderForNewRun, foldersWithRuns, type Project, wayUp } from '../project.ts';
import { isAnyChecking } from '../proof/asked.ts';
import type { RegistryEntry } from '../workflow.ts';

/** Null: no run's folder on the way. */
export async function findProject(stop: Stop, runtime: Runtime): Promise<Project | null> {
  const root = await findRoot(stop, runtime);
  return root === null ? null : openProject(root, runtime);
}

/** Of several folders, the one in which this session has runs; else the nearest. */
async function findRoot(stop: Stop, runtime: Runtime): Promise<string | null> {
  const driven = await drivenRoot(stop, runtime);
  if (driven !== null) return driven;
  const starts = [stop.cwd ?? runtime.cwd, ...startFoldersIn(runtime.env)];
  const folders = starts.flatMap((start) => foldersWithRuns(start, allTraces(runtime), runtime.env));
  const { session } = stop;
  const isChoice = folders.some((folder) => folder !== folders[0]);
  const own = session !== null && isChoice ? folders.find((folder) => hasRunsOf(folder, session)) : undefined;
  return own ?? (await underCheck(starts, runtime)) ?? folders[0] ?? movedElsewhere(starts, runtime);
}

/** Where the run lies that `holdfast run` drives the session for: a folder with runs of its own is no way out of its budget. */
async function drivenRoot({ session }: Stop, { env }: Runtime): Promise<string | null> {
  const token = env[DRIVER_VARIABLE];
  if (token === undefined || session === null) return null;
  const { readToken } = await import('../../store/driver-tokens.ts');
  try {
    const known = readToken(token, env);
    return known !== null && known.session === session && known.run !== null ? known.root : null;
  } catch {
    return null; // The stop says so, where it asks again.
  }
}

/** A check may have taken everything along by which a project is known. */
async function underCheck(starts: readonly string[], { env }: Runtime): Promise<string | null> {
  if (!isAnyChecking({ env })) return null;
  const { hasCheckRecords } = await import('../proof/check-record.ts');
  const way = starts.flatMap((start) => wayUp(start, env));
  return way.find((root) => hasCheckRecords({ root, env })) ?? null;
}

/** A workflow's own command looks for that workflow's files first: a folder of another's must not hide them. */
export function findRootOfCommand(
  cwd: string,
  workflow: RegistryEntry | null,
  runtime: Runtime,
): string | null {
  const folders = foldersWithRuns(cwd, allTraces(runtime), runtime.env);
  const ofWorkflow = workflow === null ? [] : foldersWithRuns(cwd, workflow.traces, runtime.env);
  const sessions = sessionsOf(runtime.env);
  const own = folders.find((folder) => sessions.some((session) => hasRunsOf(folder, session)));
  return ofWorkflow[0] ?? own ?? folders[0] ?? movedElsewhere([cwd], runtime);
}

export async function openProject(root: string, runtime: Runtime): Promise<Project> {
  const config = await loadConfig(root, runtime.env);
  const { env, now, cli } = runtime;
  return { root, home: homeOf(root), env, now, cli, config };
}

export function allTraces(runtime: Pick<Runtime, 'registry'>): string[] {
  return runtime.registry.flatMap((entry) => entry.traces);
}

/** A cd into a folder with runs of its own must not lose the session's. */
export function hasRunsOf(folder: string, session: string): boolean {
  try {
    return (readSession(folder, session)?.runs.length ?? 0) > 0;
  } catch {
    return true; // Unreadable: this is the folder to say so.
  }
}

export function isMoved({ movedBy }: RegistryEntry, env: Environment): boolean {
  return movedBy !== undefined && (env[movedBy] ?? '') !== '';
}

/** The user moved a workflow's files out of the project: then the project is where a new run would go. */
function movedElsewhere(starts: readonly string[], runtime: Runtime): string | null {
  if (!runtime.registry.some((entry) => isMoved(entry, runtime.env))) return null;
  const [start] = starts;
  return start === undefined ? null : folderForNewRun(start, allTraces(runtime), runtime.env);
}
