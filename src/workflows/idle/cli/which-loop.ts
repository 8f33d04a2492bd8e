// The loop a command means, and whose it is.

import { sessionsOf } from '../../../clients/index.ts';
import { runName } from '../../../engine/context.ts';
import type { Project } from '../../../engine/project.ts';
import { NotNow } from '../../../engine/workflow-cli.ts';
import { readSidecar } from '../../../store/sidecars.ts';
import { sayTrouble, troubleWith } from '../../../store/trouble.ts';
import { fallbackPath, logPath } from '../files.ts';
import { holdJwzLock } from '../jwz-lock.ts';
import { type FoundLoop, readLoop } from '../read-loop.ts';
import { NOTHING_SAVED } from '../saved.ts';
import { COMMAND_REACH, HOOK_REACH } from '../topic-log.ts';

export function loopOf({ root }: Project): FoundLoop {
  return readLoop(root, NOTHING_SAVED, COMMAND_REACH);
}

/** The same for a command that changes it: under our lock, and under jwz's own until the change is written. */
export function loopToChange(project: Project): FoundLoop {
  holdJwzLock(project);
  return loopOf(project);
}

/** Before a command says that there is no loop: can the files be read that would show one? */
export function refuseClosed({ root }: Project): void {
  for (const file of [logPath(root), fallbackPath(root)]) {
    const trouble = troubleWith(file, root, 'file', 'read');
    if (trouble !== null) throw new NotNow(sayTrouble(trouble));
  }
}

/** Too far back in the log for a stop to find it. */
export function isOutOfReach({ root }: Project): boolean {
  return readLoop(root, NOTHING_SAVED, HOOK_REACH).state.kind === 'lost';
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
