// The costly facts: they take a markdown parser, which most stops do without.

import type { RunContext } from '../../engine/context.ts';
import { type PlanFolder, readPlanFile } from './files.ts';
import { taskFile } from './names.ts';
import type { World } from './observe.ts';
import { readState } from './state-format.ts';
import { hasPendingSubtask } from './subtasks.ts';
import { allRows, isDone, isPending, type TaskTable, tableFacts } from './task-status.ts';
import type { Facts, PendingFacts } from './types.ts';

export async function look(at: string, context: RunContext, world: World): Promise<Partial<Facts>> {
  const { root } = context.project;
  parser = await import('./tasks-table.ts');
  const table = parser.parseTasks(readPlanFile(root, world.folder, 'tasks.md') ?? '');
  const tasks = tableFacts(table, unfinishedTasks(table, root, world.folder));
  if (at === 'tasks') return { tasks };
  const state = readState(world.stateText);
  const current = state.kind === 'known' ? state.currentTask : null;
  const open = allRows(table).filter(isPending);
  const pending: PendingFacts = {
    others: open.some((row) => row.id !== current),
    current: open.some((row) => row.id === current),
  };
  return { pending, tasks };
}

let parser: typeof import('./tasks-table.ts') | null = null;

/** For the words of a step that rests on a look, which may not hold them: the parser is loaded by then. */
export function tableLookedAt(root: string, folder: PlanFolder): TaskTable | null {
  return parser?.parseTasks(readPlanFile(root, folder, 'tasks.md') ?? '') ?? null;
}

/** More tasks than any plan has. */
const MOST_TASKS = 500;

/** Ids of tasks that are done although one of their subtasks is pending. */
export function unfinishedTasks({ rows }: TaskTable, root: string, folder: PlanFolder): string[] {
  const done = new Set(rows.filter(isDone).map(({ id }) => id));
  return [...done].slice(0, MOST_TASKS).filter((id) => {
    const text = folder.files.includes(taskFile(id)) ? readPlanFile(root, folder, taskFile(id)) : null;
    return text !== null && hasPendingSubtask(text);
  });
}
