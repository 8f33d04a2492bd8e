// The subtasks of a task file (pure): `### Subtask 1.1: Title`, and below it `- **Status**: completed`.

import { isPending } from './task-status.ts';

/** `status` is the first word of what `says` says, in lower case. */
export type Subtask = { name: string; status: string; says: string };

export function parseSubtasks(text: string): Subtask[] {
  const subtasks: Subtask[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    fence = fenceAfter(line, fence);
    if (fence !== null) continue;
    const name = /^#{2,4}\s+Subtask\s+([^:\s]+)/i.exec(line)?.[1];
    if (name !== undefined) subtasks.push({ name, status: '', says: '' });
    const says = /^\s*(?:[-*+]\s*)?\**Status\**\s*:(.*)$/i.exec(line)?.[1]?.toLowerCase();
    const last = subtasks.at(-1);
    if (says === undefined || last === undefined || last.status !== '') continue;
    last.says = says;
    last.status = /[a-z][a-z-]*/.exec(says)?.[0] ?? '';
  }
  return subtasks;
}

const FINISHED = ['completed', 'awaiting-review', 'postponed'];

/** Is there nothing left to implement? Waiting for review is as far as an implementer can go. */
export function isImplemented(text: string): boolean {
  return parseSubtasks(text).every(({ status }) => FINISHED.includes(status));
}

export const hasPendingSubtask = (text: string): boolean =>
  parseSubtasks(text).some(({ says }) => isPending({ status: says }));

/** An example in a code block is no subtask. */
function fenceAfter(line: string, open: string | null): string | null {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return mark;
  return mark.startsWith(open) ? null : open;
}
