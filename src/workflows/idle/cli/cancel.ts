// `idle cancel`: ends the loop by hand, all of it or its top frame. The log keeps what was.

import { COMMAND_PATIENCE_MS } from '../../../engine/claim-run.ts';
import { runName } from '../../../engine/context.ts';
import { drivenIn, mayEnd } from '../../../engine/driver/its-agent.ts';
import type { Project } from '../../../engine/project.ts';
import { endTaken } from '../../../engine/proof/end-taken.ts';
import { forgetChecks } from '../../../engine/proof/forget-checks.ts';
import { journalCommand } from '../../../engine/stop/journal.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/workflow-cli.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import { loopClock } from '../clock.ts';
import { putAway } from '../commit.ts';
import { isActive } from '../decide.ts';
import type { FoundLoop } from '../read-loop.ts';
import { newFields } from '../state-format.ts';
import { describeStage } from './describe.ts';
import { loopToChange, refuseClosed } from './which-loop.ts';
import { postState, restartClock, writeAll } from './write-state.ts';

export const cancel: Command = {
  name: 'cancel',
  summary: 'end the loop and all loops around it; the agent is let go at its next stop',
  usage: '[--top]',
  help: '--top ends the innermost loop only; the one around it goes on.',
  options: { top: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  const taken = project === null ? endTaken(call, 'idle') : null;
  if (taken !== null) {
    call.print(taken);
    return 0;
  }
  if (project === null) throw nothing();
  ensureHome(project.root);
  const line = await withLock(project.home, COMMAND_PATIENCE_MS, () => {
    const found = loopToChange(project);
    const isInner = call.flags.top === true && hasInner(found);
    if (!isInner) mayEndLoop(project, found);
    const done = isInner ? cancelTop(project, found) : cancelAll(project, found);
    if (found.run !== null && !isActive(loopToChange(project).state, loopClock(project, found.run)))
      journalCommand(project, 'cancel', runName('idle', found.run));
    return done;
  });
  call.print(line);
  return 0;
}

/** Under the lock. A state that cannot be read is ended too: that is how a user gets rid of it. */
export function cancelAll(project: Project, found: FoundLoop): string {
  const { state, run: id, raw, source, log } = found;
  if (state.kind === 'nothing') refuseClosed(project);
  if (state.kind === 'nothing' || state.kind === 'lost') throw nothing();
  if (state.kind === 'loop' && (state.event !== 'STATE' || state.stack.length === 0)) throw nothing();
  if (id !== null) forgetChecks(project, runName('idle', id));
  const fields = raw?.fields ?? newFields(id ?? 'unreadable');
  const next = { event: 'ABORT' as const, reason: 'USER_CANCELLED', stack: [] };
  writeAll(project, [
    source === 'file' ? putAway(project.root, project.now) : postState(project, fields, next, log),
  ]);
  const name = id === null ? 'The loop' : `idle:${id}`;
  return `${name} is cancelled; the agent is let go at its next stop.`;
}

/** One whose state does not tell its name is the loop that is driven here, if one is. */
function mayEndLoop(project: Project, { run: id }: FoundLoop): void {
  const names = id === null ? drivenIn(project, 'idle') : [runName('idle', id)];
  for (const name of names) mayEnd(project, name);
}

function hasInner({ state, raw }: FoundLoop): boolean {
  return state.kind === 'loop' && state.event === 'STATE' && (raw?.stack.length ?? 0) >= 2;
}

function cancelTop(project: Project, found: FoundLoop): string {
  const { state, raw, log, run: id } = found;
  if (state.kind !== 'loop' || raw === null) return cancelAll(project, found);
  const stack = raw.stack.slice(0, -1);
  if (id !== null) restartClock(project, runName('idle', id));
  writeAll(project, [postState(project, raw.fields, { event: 'STATE', reason: null, stack }, log)]);
  const rest = describeStage(
    { ...state, updatedAt: project.now, stack: state.stack.slice(0, -1) },
    project.now,
  );
  return `The innermost loop of idle:${id} is cancelled. What is left: ${rest}.`;
}

function nothing(): NotNow {
  return new NotNow('no loop goes on here, so there is nothing to cancel.');
}
