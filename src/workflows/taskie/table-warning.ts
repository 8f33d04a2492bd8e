// What a reader of tasks.md must know about its table (pure): rows that are no tasks, cells split by guess.

import type { Message } from '../../engine/step.ts';
import type { TaskFacts } from './types.ts';

export function tableWarning(plan: string, table: Omit<TaskFacts, 'ids'> | null): Message | null {
  if (table === null) return null;
  if (table.plain) return { name: 'table-plain', slots: { plan } };
  if (table.leftOut > 0) return { name: 'table-rows-left-out', slots: { plan, rows: table.leftOut } };
  return null;
}
