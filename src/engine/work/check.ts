// A check, run to its end outside the lock: what is wanted of it, and what came of it.

import type { SessionSandbox } from '../../clients/sandbox.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Project } from '../project.ts';
import type { CannotRun, Check, CheckEnd } from '../proof/types.ts';

export type CheckWanted = {
  project: Project;
  /** Whose folder takes its output. */
  attempt: string;
  sandbox: SessionSandbox;
  /** When all work of this stop must have ended. */
  deadline: number;
  whenAskedToEnd(listener: () => void): void;
  /** Called before an interrupted check is ended. */
  interrupted(): Promise<void>;
};

export type CheckRun = {
  end: CheckEnd;
  /** Why it cannot run. */
  why?: CannotRun;
  /** Null where it did not end by itself. */
  code: number | null;
  /** With all that were run again. */
  milliseconds: number;
  /** It passed only when it was run again. */
  flaky: boolean;
  /** The lines of its output that say what failed, then the last ones: at most 2,000 characters, no control codes. */
  tail: string;
  /** Why its whole output could not be kept for people; left out: it is kept, or there is none. */
  unkept?: string;
};

/** Where the output of its last run is kept, relative to the root. */
export function logOf(check: string): string {
  const isPlain = /^(?!x-)[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$/.test(check);
  return `.holdfast/checks/${isPlain ? check : `x-${fingerprint(JSON.stringify(check))}`}.log`;
}

/** Throws `Interrupted` when the hook was asked to end meanwhile. */
export async function runCheck(check: Check, wanted: CheckWanted): Promise<CheckRun> {
  // In a file of its own, whoever imports this one: the watcher loads that file to end a check (run.ts).
  const { run } = await import('./run-check.ts');
  return run(check, wanted);
}
