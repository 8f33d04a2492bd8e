// What a command that changes the loop writes: the next state, and what the hook is to remember.

import type { Project } from '../../../engine/project.ts';
import { carryOut } from '../../../store/files.ts';
import type { Write } from '../../../store/writes.ts';
import { TOPIC } from '../files.ts';
import { NOTHING_SAVED, positionAt, writeSaved } from '../saved.ts';
import { nextBody, type RawFrame, type RawState } from '../state-format.ts';
import { type LogEnd, post } from '../topic-log.ts';

/** What a command leaves for the hook in the sidecar: where in the log to go on reading. */
export function savedAfter(log: LogEnd | null) {
  return writeSaved({ ...NOTHING_SAVED, position: positionAt(log) });
}

type Next = { event: 'STATE' | 'ABORT'; reason: string | null; stack: readonly RawFrame[] };

export function postState(
  project: Project,
  fields: RawState['fields'],
  next: Next,
  log: LogEnd | null,
): Write {
  const { root, now } = project;
  return post(root, TOPIC, log, nextBody(fields, { ...next, now }), now);
}

export function writeAll(project: Project, writes: readonly Write[]): void {
  for (const write of writes) carryOut(write, project.root);
}
