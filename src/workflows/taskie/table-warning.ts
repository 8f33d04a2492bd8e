// What a reader of tasks.md must know about its table (pure): rows that are no tasks, cells split by guess, statuses that say
// nothing. Steps hold how many there are; the words for them come from the table itself.

import type { Message } from '../../engine/step.ts';
import type { TaskFacts } from './types.ts';

/** One message; where there are more, their names follow in its slot `warning`. */
export function tableWarning(plan: string, table: Omit<TaskFacts, 'ids'> | null): Message | null {
  const [name, ...others] = table === null ? [] : warningsOf(table);
  if (name === undefined) return null;
  const rows = table !== null && [name, ...others].includes(LEFT_OUT) ? { rows: table.leftOut } : {};
  const warning = others.length === 0 ? {} : { warning: others.join(' ') };
  return { name, slots: { plan, ...rows, ...warning } };
}

export const LEFT_OUT = 'table-rows-left-out';

function warningsOf({ plain, leftOut, unclear, unfinished }: Omit<TaskFacts, 'ids'>): string[] {
  const wrong = plain ? 'table-plain' : LEFT_OUT;
  return [
    ...(plain || leftOut > 0 ? [wrong] : []),
    ...(unclear === undefined ? [] : ['table-status-unclear']),
    ...(unfinished === undefined ? [] : ['table-subtasks-pending']),
  ];
}
