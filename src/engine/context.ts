// What flows through a stop: what the process gives the engine, the stop in its project, and one run at that stop.

import type { Stop } from '../clients/stop.ts';
import type { Findings } from '../reviewers/findings.ts';
import type { FindReviewer } from '../reviewers/reviewer.ts';
import type { Environment } from '../store/environment.ts';
import type { Json } from '../store/json.ts';
import type { Sidecar } from '../store/records.ts';
import type { Project } from './project.ts';
import type { CheckSaid } from './proof/words.ts';
import type { RegistryEntry } from './workflow.ts';

/** What the engine is given from outside: the workflows, the reviewers, the clock, the patience. */
export type Runtime = {
  registry: readonly RegistryEntry[];
  findReviewer: FindReviewer;
  env: Environment;
  /** The process's own; a stop's payload may name another. */
  cwd: string;
  /** Milliseconds; the clock of the whole stop. */
  now: number;
  /** The command that runs our CLI, quoted for a shell. */
  cli: string;
  lockPatienceMs: number;
  /** Calls back when the client asks the hook to end. Asked for by a review alone: nothing else takes long. */
  whenAskedToEnd(listener: () => void): void;
};

/** One stop in its project: everything that is the same for all runs it concerns. */
export type StopContext = {
  stop: Stop;
  project: Project;
  runtime: Runtime;
  /** The state each run was found in at this stop, as a fingerprint, however serving the run ends. */
  decidedOn: Map<string, string>;
  /** A hold is not answered: the driver gives it to the next session (stop/hand-over.ts). */
  handsOver?: true;
  /** The run that this session is driven for, where it has a budget: that bounds whatever holds the session. */
  driven?: string;
};

/** One run at one stop, as a workflow sees it. */
export type RunContext = {
  project: Project;
  stop: Stop;
  run: string;
  /** The run's own clock, in milliseconds: it stood still while the run waited. By this its age is judged. */
  now: number;
  /** The workflow's own part of the run's sidecar, as it was last committed. Outside data: parse it. */
  saved: Json | undefined;
  /** Signals of earlier stops that could not be written into `saved`, in no order. Outside data too. */
  keptSignals?: readonly string[];
  /** What the review listed whose verdict this step rests on; left out: there is none, or it listed nothing. */
  findings?: Findings;
  /** What the checks printed that were asked for by name at this stop and did not pass; left out: there is none. */
  printed?: readonly CheckSaid[];
};

/** No session id: a person fired the hook. With `--client generic` that is counted as a session, but still theirs. */
export function isHandFired(stop: Stop): boolean {
  return stop.session === null || (stop.client === 'generic' && stop.session === 'generic');
}

/**
 * The session's id is the ticket: only a run whose sidecar names it may hold it. One that was handed over waits for the
 * next session, whatever this one still does.
 */
export function isServed({ sessions, handover }: Sidecar, stop: Stop): boolean {
  const { session } = stop;
  if (isHandFired(stop)) return true;
  return session !== null && sessions.includes(session) && handover?.session !== session;
}

/** `workflow:id`: how a run is called in commands and in our files. */
export function runName(workflow: string, run: string): string {
  return `${workflow}:${run}`;
}
