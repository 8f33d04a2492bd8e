// The commands of a workflow: its own, and those that every workflow has without writing them.

import type { RegistryEntry } from '../engine/workflow.ts';
import type { Command, WorkflowCli } from '../engine/workflow-cli.ts';
import { cancelIn } from './cancel.ts';
import { statusOf } from './status.ts';

/** In the order `holdfast <workflow> help` lists them. */
export function commandsOf(entry: RegistryEntry, { commands }: WorkflowCli): readonly Command[] {
  const common = [statusOf(entry), cancelIn(entry)];
  return [...commands, ...common.filter(({ name }) => !commands.some((own) => own.name === name))];
}
