// The live runs of the session whose agent runs a command.

import type { Project } from '../engine/project.ts';
import type { Sidecar } from '../store/records.ts';
import { allRuns, type KnownRun } from '../view/runs.ts';

export async function liveRunsOf(sessions: readonly string[], project: Project | null): Promise<KnownRun[]> {
  if (project === null || sessions.length === 0) return [];
  return (await allRuns(project)).filter(({ live, sidecar }) => live && isOf(sidecar, sessions));
}

export function isOf(sidecar: Sidecar, sessions: readonly string[]): boolean {
  return sidecar.sessions.some((id) => sessions.includes(id));
}
