// What every command of idle needs to know of the loop: what it is, and whose.

import { sessionsOf } from '../../../clients/index.ts';
import { runName } from '../../../engine/context.ts';
import type { Project } from '../../../engine/project.ts';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { sayTrouble, troubleWith } from '../../../store/trouble.ts';
import type { Write } from '../../../store/writes.ts';
import { isStale } from '../decide.ts';
import { fallbackPath } from '../fallback.ts';
import { holdJwzLock } from '../jwz-lock.ts';
import { type Current, NEW_OWN, positionAt, readCurrent, TOPIC, writeOwn } from '../read-loop.ts';
import { nextBody, type RawFrame, type RawState } from '../state-format.ts';
import { COMMAND_REACH, HOOK_REACH, type LogEnd, logPath, post } from '../topic-log.ts';
import type { State } from '../types.ts';

export function loopOf({ root }: Project): Current {
  return readCurrent(root, NEW_OWN, COMMAND_REACH);
}

/** The same for a command that changes it: under our lock, and under jwz's own until the change is written. */
export function loopToChange(project: Project): Current {
  holdJwzLock(project.root);
  return loopOf(project);
}

/** Before a command says that there is no loop: can the files be read that would tell of one? */
export function refuseClosed({ root }: Project): void {
  for (const file of [logPath(root), fallbackPath(root)]) {
    const trouble = troubleWith(file, root, 'file', 'read');
    if (trouble !== null) throw new NotNow(sayTrouble(trouble));
  }
}

/** Too far back in the log for a stop to find it. */
export function isOutOfReach({ root }: Project): boolean {
  return readCurrent(root, NEW_OWN, HOOK_REACH).state.kind === 'lost';
}

/** Ours: this session's; in a plain terminal, a loop that was started from one and that no session took yet. */
export function whoseIs(project: Project, run: string): 'ours' | "nobody's" | "another session's" {
  const { sessions: bound, saved } = readSidecar(project.root, runName('idle', run));
  const here = sessionsOf(project.env);
  if (bound.some((session) => here.includes(session))) return 'ours';
  if (bound.length > 0) return "another session's";
  return here.length === 0 && saved !== undefined ? 'ours' : "nobody's";
}

export function isReleased(project: Project, run: string): boolean {
  const { guard } = readSidecar(project.root, runName('idle', run));
  return Object.values(guard).some((memory) => memory.released);
}

/** What a command leaves for the hook in the sidecar: where in the log to go on reading. */
export function ownAfter(log: LogEnd | null) {
  return writeOwn({ ...NEW_OWN, position: positionAt(log) });
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

/** `loop, iteration 3/10`, with how deep it is nested and why it does not hold. */
export function describeStage(state: State, now: number): string {
  switch (state.kind) {
    case 'nothing':
      return 'no loop';
    case 'lost':
      return 'its log is too long to find the state';
    case 'unreadable':
      return 'its state cannot be read';
    case 'loop':
      break;
  }
  const top = state.stack.at(-1);
  const kept = state.stack.length > 0 ? `, ${state.stack.length} kept for resume` : '';
  if (state.event === 'DONE') return `ended${kept}`;
  if (state.event === 'ABORT' || top === undefined) return 'ended';
  const depth = state.stack.length > 1 ? `, ${state.stack.length} deep` : '';
  const stale = isStale(state, now) ? ', stale' : '';
  return `${top.mode}, iteration ${top.iter}/${top.max}${depth}${stale}`;
}
