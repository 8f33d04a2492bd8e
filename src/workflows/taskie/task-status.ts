// What the statuses of tasks.md say (pure). Only one that says nothing about its task would let the task be skipped unseen,
// so such words are named.

import { inOneParagraph } from '../../text/paragraph.ts';
import type { TaskFacts } from './types.ts';

/** As it stands in the table: the id may be any text, the status is in lower case. */
export type TaskRow = { id: string; status: string };

export type TaskTable = {
  /** Those whose id is a task id, in the order of their ids. */
  rows: readonly TaskRow[];
  /** Those whose id is none. */
  leftOut: readonly TaskRow[];
  /** It is no GFM table (its delimiter row does not fit), so cells were split at every unescaped pipe. */
  plain: boolean;
};

/** `⏳ pending`, `pending (blocked)`, `Pending review`: whatever else it says. */
export const isPending = ({ status }: Pick<TaskRow, 'status'>): boolean => /pending/i.test(status);

export const isDone = ({ status }: TaskRow): boolean => /^[^\p{L}\p{N}]*(?:done|completed?)\b/iu.test(status);

const isLeftAside = ({ status }: TaskRow): boolean =>
  /^[^\p{L}\p{N}]*(?:cancell?ed|postponed)\b/iu.test(status);

const isUnclear = (row: TaskRow): boolean => !isPending(row) && !isDone(row) && !isLeftAside(row);

export const allRows = ({ rows, leftOut }: TaskTable): readonly TaskRow[] => [...rows, ...leftOut];

/** `unfinished`: tasks that are done although one of their subtasks is pending. */
export function tableFacts(table: TaskTable, unfinished: readonly string[]): TaskFacts {
  const unclear = allRows(table).filter(isUnclear).length;
  return {
    ids: [...new Set(table.rows.map(({ id }) => id))],
    leftOut: table.leftOut.length,
    plain: table.plain,
    ...(unclear === 0 ? {} : { unclear }),
    ...(unfinished.length === 0 ? {} : { unfinished: unfinished.length }),
  };
}

/** Ids of the rows that say pending, for people. */
export function pendingIds(table: TaskTable): string[] {
  return allRows(table)
    .filter(isPending)
    .map(({ id }) => shown(id));
}

/** `"in progress" (3, T4), "" (5)`. */
export function unclearWords(table: TaskTable): string {
  const ids = new Map<string, string[]>();
  for (const { id, status } of allRows(table).filter(isUnclear))
    ids.set(shown(status), [...(ids.get(shown(status)) ?? []), shown(id)]);
  return listed([...ids].map(([word, rows]) => `${JSON.stringify(word)} (${listed(rows)})`));
}

const MOST_LISTED = 20;

export function listed(words: readonly string[]): string {
  const more = words.length > MOST_LISTED ? [`${words.length - MOST_LISTED} more`] : [];
  return [...words.slice(0, MOST_LISTED), ...more].join(', ');
}

/** Cells are written by an agent, and may be of any length. */
const shown = (cell: string): string => inOneParagraph(cell, 40);
