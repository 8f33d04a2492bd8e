// What the hooks beside the stop have in common: the session's runs in its project, each looked at in turn. Nothing is
// ever bound here: a fork's first event carries its parent's id (Claude Code 2.1.197).

import { decodeStop } from '../clients/index.ts';
import { isServed, type RunContext, runName, type StopContext } from '../engine/context.ts';
import { findProject } from '../engine/stop/find-project.ts';
import { findRuns, type RunHere } from '../engine/stop/find-runs.ts';
import { writeJournal } from '../engine/stop/journal.ts';
import { clockAtStop } from '../engine/waiting/clock.ts';
import type { AnyWorkflow } from '../engine/workflow.ts';
import { isObject, parseJson } from '../store/json.ts';
import type { Sidecar } from '../store/records.ts';
import { readSidecar } from '../store/sidecars.ts';
import type { HookCall } from './call.ts';

export type SessionEvent = {
  payload: Readonly<Record<string, unknown>>;
  context: StopContext;
  runs: readonly RunHere[];
};

/** Null: nothing that concerns a session of a project with runs. */
export async function readSessionEvent({ input, named, runtime }: HookCall): Promise<SessionEvent | null> {
  const payload = input === null ? undefined : parseJson(input);
  if (!isObject(payload)) return null;
  const { stop } = decodeStop(payload, named);
  if (stop.session === null) return null;
  const project = await findProject(stop, runtime);
  if (project === null) return null;
  const context: StopContext = { stop, project, runtime, decidedOn: new Map() };
  return { payload, context, runs: await findRuns(context) };
}

/** One run's trouble must not cost the others theirs; the next stop reports it. */
export async function forEachRun(
  { runs, context }: SessionEvent,
  work: (here: RunHere) => Promise<void>,
): Promise<void> {
  for (const here of runs) {
    try {
      await work(here);
    } catch (error) {
      writeJournal(context, { kind: 'failed', name: runName(here.workflow.name, here.run), error });
    }
  }
}

export type RunOfSession = { workflow: AnyWorkflow; sidecar: Sidecar; context: RunContext };

/** Null: the run is another session's by now. */
export function runOfSession(
  { workflow, run }: RunHere,
  { stop, project }: StopContext,
): RunOfSession | null {
  const sidecar = readSidecar(project.root, runName(workflow.name, run));
  if (!isServed(sidecar, stop)) return null;
  const now = clockAtStop(sidecar, project.now);
  return { workflow, sidecar, context: { project, run, stop, now, saved: sidecar.saved } };
}
