// What a driver works with, given from outside so that a test can give it others (types only).

import type { Client } from '../clients/client.ts';
import type { Headless } from '../clients/headless.ts';
import type { Project } from '../engine/project.ts';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import type { KnownProcess } from '../processes/known.ts';
import type { Environment } from '../store/environment.ts';
import type { Bell, Clock } from './clock.ts';
import type { Report } from './report.ts';

export type Tools = {
  /** The user's, without what a client around us has put there. */
  env: Environment;
  client: Client;
  headless: Headless;
  /** The commands of the run's workflow. */
  cli: WorkflowCli;
  /** The project with the run, as of now. */
  project(): Project;
  clock: Clock;
  report: Report;
  /** Rings when somebody asks us to end. */
  asked: Bell;
  /** Milliseconds without a word of the client after which it is taken to hang. */
  silenceMs: number;
  /** The folder of our own command. */
  bin: string;
  /** Command lines that a client with `edit` may run beside editing. */
  allowed: readonly string[];
  /** Those of ours that it may run, as they are typed after our name. */
  commands: readonly string[];
  /** Takes up a stale run, in the name of that session; null: of nobody's. */
  takeUp(session: string | null): Promise<void>;
  /** Ends what a driver that died may have left running. */
  endLeftOver(process: KnownProcess): Promise<void>;
};
