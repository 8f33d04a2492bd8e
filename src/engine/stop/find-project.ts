// The project a stop belongs to: from its physical cwd, then from where the client was started.

import { sessionsOf } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { loadConfig } from '../../config/config.ts';
import { homeOf } from '../../store/home.ts';
import { readSession } from '../../store/sidecars.ts';
import type { Machinery, RegistryEntry } from '../context.ts';
import { folderForNewRun, foldersWithRuns, type Project } from '../project.ts';

/** Null: no run's folder on the way. Of several folders, the one in which this session has runs; else the nearest. */
export function findRoot(stop: Stop, machinery: Machinery): string | null {
  const starts = [stop.cwd ?? machinery.cwd, machinery.env.CLAUDE_PROJECT_DIR];
  const folders = starts.flatMap((start) =>
    start ? foldersWithRuns(start, allTraces(machinery), machinery.env) : [],
  );
  const { session } = stop;
  const isChoice = folders.some((folder) => folder !== folders[0]);
  const own = session !== null && isChoice ? folders.find((folder) => hasRunsOf(folder, session)) : undefined;
  return own ?? folders[0] ?? movedElsewhere(starts, machinery);
}

/** A workflow's own command looks for that workflow's files first: a folder of another's must not hide them. */
export function findRootOfCommand(
  cwd: string,
  workflow: RegistryEntry | null,
  machinery: Machinery,
): string | null {
  const folders = foldersWithRuns(cwd, allTraces(machinery), machinery.env);
  const ofWorkflow = workflow === null ? [] : foldersWithRuns(cwd, workflow.traces, machinery.env);
  const sessions = sessionsOf(machinery.env);
  const own = folders.find((folder) => sessions.some((session) => hasRunsOf(folder, session)));
  return ofWorkflow[0] ?? own ?? folders[0] ?? movedElsewhere([cwd], machinery);
}

export async function openProject(root: string, machinery: Machinery): Promise<Project> {
  const config = await loadConfig(root, machinery.env);
  const { env, now, cli } = machinery;
  return { root, home: homeOf(root), env, now, cli, config };
}

export function allTraces(machinery: Pick<Machinery, 'registry'>): string[] {
  return machinery.registry.flatMap((entry) => entry.traces);
}

/** A cd into a folder with runs of its own must not lose the session's. */
export function hasRunsOf(folder: string, session: string): boolean {
  try {
    return (readSession(folder, session)?.runs.length ?? 0) > 0;
  } catch {
    return true; // Unreadable: this is the folder to say so.
  }
}

/** The user moved a workflow's files out of the project (CLAUDEX_STATE_DIR): then the project is where a new run would go. */
function movedElsewhere(starts: readonly (string | undefined)[], machinery: Machinery): string | null {
  if (!machinery.registry.some((entry) => entry.presentElsewhere?.(machinery.env))) return null;
  const start = starts.find((folder) => folder !== undefined && folder !== '');
  return start === undefined ? null : folderForNewRun(start, allTraces(machinery), machinery.env);
}
