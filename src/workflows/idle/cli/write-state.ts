// What a command that changes the loop writes: the next state, and what the hook is to remember.

import type { Project } from '../../../engine/project.ts';
import { endOfWait, isOver } from '../../../engine/waiting/clock.ts';
import { carryOut } from '../../../store/files.ts';
import { readSidecar, writeSidecar } from '../../../store/sidecars.ts';
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

/**
 * The state is as of now, so that what the run waited before takes nothing off its age: a wait under way counts from
 * here. One that is over is dropped, but for work: that stays, so that it is not waited for again.
 */
export function restartClock({ root, now }: Project, name: string): void {
  const { waiting, waits, ...sidecar } = readSidecar(root, name);
  if (waiting === undefined && (waits?.waited ?? 0) === 0) return;
  const isLeft = waiting !== undefined && (waiting.for === 'work' || !isOver(waiting, now));
  writeSidecar(root, {
    ...sidecar,
    ...(isLeft ? { waiting: { ...waiting, since: Math.min(now, endOfWait(waiting)) } } : {}),
    ...(waits === undefined ? {} : { waits: { ...waits, waited: 0 } }),
  });
}

export function writeAll(project: Project, writes: readonly Write[]): void {
  for (const write of writes) carryOut(write, project.root);
}
