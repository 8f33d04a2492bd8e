// `idle resume`: goes on with a loop that was let go, went stale, or was left when an inner one ended.

import { refusePaused } from '../../../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../../../engine/claim-run.ts';
import { runName } from '../../../engine/context.ts';
import type { Project } from '../../../engine/project.ts';
import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/workflow-cli.ts';
import { ensureHome } from '../../../store/home.ts';
import { withLock } from '../../../store/lock.ts';
import type { Write } from '../../../store/writes.ts';
import { loopClock } from '../clock.ts';
import { isStale } from '../decide.ts';
import { fallbackPath } from '../files.ts';
import type { FoundLoop } from '../read-loop.ts';
import type { Loop } from '../types.ts';
import { describeStage } from './describe.ts';
import { isOutOfReach, isReleased, loopToChange, refuseClosed, whoseIs } from './which-loop.ts';
import { postState, restartClock, savedAfter, writeAll } from './write-state.ts';

export const resume: Command = {
  name: 'resume',
  summary: 'go on with a loop that was let go, went stale, or was left under an inner one',
  usage: '',
  help: 'For a run that is paused since its budget is spent, there is `holdfast resume`: it grants more.',
  options: {},
  writes: true,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  if (project === null) throw new NotNow('there is no loop here, so nothing to resume.');
  const { run: id } = loopToChange(project);
  if (id !== null) await refusePaused(project, runName('idle', id));
  ensureHome(project.root);
  call.print(
    await withLock(project.home, COMMAND_PATIENCE_MS, () => resumeLoop(project, loopToChange(project))),
  );
  return 0;
}

function resumeLoop(project: Project, found: FoundLoop): string {
  const { state, run: id, log } = found;
  if (state.kind === 'nothing') refuseClosed(project);
  if (state.kind !== 'loop' || id === null || state.stack.length === 0 || state.event === 'ABORT')
    throw new NotNow(`nothing to resume here: ${describeStage(state, loopClock(project, id))}.`);
  const why = reasonToResume(project, found, state, id);
  const owner = claimRun(project, runName('idle', id), savedAfter(log), 'adopt');
  // Only bound again: the state itself is as it should be.
  if (why !== 'released') {
    restartClock(project, runName('idle', id));
    writeAll(project, [refresh(project, found)]);
  }
  const resumed: Loop = { ...state, event: 'STATE', updatedAt: project.now };
  return `idle:${id} goes on: ${describeStage(resumed, project.now)}. It holds ${owner} again.`;
}

/** Refused for a loop that needs no resuming. */
function reasonToResume(project: Project, found: FoundLoop, loop: Loop, run: string): 'released' | 'refresh' {
  const now = loopClock(project, run);
  if (loop.event === 'DONE' || isStale(loop, now)) return 'refresh';
  if (found.source === 'topic' && isOutOfReach(project)) return 'refresh';
  if (isReleased(project, run)) return 'released';
  const whose = whoseIs(project, run);
  if (whose === "nobody's") return 'released';
  if (whose === 'ours') throw new NotNow(`idle:${run} goes on already: ${describeStage(loop, now)}.`);
  throw new NotNow(
    `idle:${run} goes on in another session. \`${project.cli} adopt idle:${run}\` makes it this session's.`,
  );
}

/** The same state as of now: in the topic a new message, for the file a new modification time. */
function refresh(project: Project, { source, raw, text, log }: FoundLoop): Write {
  if (source === 'file') return { kind: 'replace', path: fallbackPath(project.root), content: text };
  const { fields, stack } = raw ?? { fields: {}, stack: [] };
  return postState(project, fields, { event: 'STATE', reason: null, stack }, log);
}
