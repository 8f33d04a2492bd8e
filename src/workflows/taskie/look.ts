// The costly facts: they take a markdown parser, which most stops do without.

import type { RunContext } from '../../engine/context.ts';
import { readPlanFile } from './files.ts';
import type { World } from './observe.ts';
import { readState } from './state-format.ts';
import type { Facts, PendingFacts, TaskFacts } from './types.ts';

export async function look(at: string, context: RunContext, world: World): Promise<Partial<Facts>> {
  const { parseTasks } = await import('./tasks-table.ts');
  const { rows, leftOut, plain } = parseTasks(
    readPlanFile(context.project.root, world.folder, 'tasks.md') ?? '',
  );
  const tasks: TaskFacts = { ids: [...new Set(rows.map((row) => row.id))], leftOut, plain };
  if (at === 'tasks') return { tasks };
  const state = readState(world.stateText);
  const current = state.kind === 'known' ? state.currentTask : null;
  const open = rows.filter((row) => row.status === 'pending');
  const pending: PendingFacts = {
    others: open.some((row) => row.id !== current),
    current: open.some((row) => row.id === current),
  };
  return { pending, tasks };
}
