// What the engine is given from outside: the workflows, the reviewers, the clock, the patience.

import type { FindReviewer } from '../reviewers/reviewer.ts';
import type { Environment } from '../store/environment.ts';
import type { Desk } from './workflow-cli.ts';
import type { AnyWorkflow } from './workflow.ts';

/** One line per workflow, in the order of precedence. Loading one is left until a stop needs it. */
export type RegistryEntry = {
  name: string;
  /** Files or folders, relative to a project, that say that this workflow may have runs there. */
  traces: readonly string[];
  /** Has the user moved this workflow's files out of the project? Then its traces say nothing. */
  presentElsewhere?(env: Environment): boolean;
  /** For the hook. */
  load(): Promise<AnyWorkflow>;
  /** For the CLI. */
  desk(): Promise<Desk>;
};

export type Machinery = {
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
  /** Calls back when the client tells the hook to end. Asked for by a review alone: nothing else takes long. */
  whenToldToEnd(listener: () => void): void;
};
