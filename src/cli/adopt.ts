// `holdfast adopt`: makes a run this session's, whoever's it was, and gives it a fresh count of holds.

import { whyPaused } from '../engine/budget/at-start.ts';
import { COMMAND_PATIENCE_MS, claimRun } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import { waitingNow } from '../engine/waiting/clock.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { ensureHome } from '../store/home.ts';
import { withLock } from '../store/lock.ts';
import { readSidecar } from '../store/sidecars.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { allRuns, type KnownRun, pickRun, refuseUnused, wordOrFlag } from '../view/runs.ts';

export const adopt: Command = {
  name: 'adopt',
  summary: "make a run this session's, also one of another session",
  usage: 'RUN',
  help: 'In a plain terminal the run goes to the next session that stops in this project within ten minutes.',
  options: { run: { type: 'string' } },
  writes: true,
  words: { least: 0, most: 1 },
  run: adoptRun,
};

async function adoptRun(call: Call): Promise<ExitCode> {
  const named = wordOrFlag(call);
  if (named === undefined)
    throw new WrongUsage('adopt: RUN is missing: which run? `holdfast status` lists them.');
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is nothing to adopt.');
  await refuseUnused(project, named);
  const run = pickRun(await allRuns(project), named);
  return adoptKnown(call, project, run);
}

/** For `resume`, too. */
export async function adoptKnown(call: Call, project: Project, run: KnownRun): Promise<ExitCode> {
  ensureHome(project.root);
  const owner = await withLock(project.home, COMMAND_PATIENCE_MS, () =>
    claimRun(project, run.name, undefined, 'adopt'),
  );
  const paused = run.live ? await whyPaused(project, run.name) : null;
  call.print(`${run.name} now belongs to ${owner}. ${paused ?? whatComesNext(run, project)}`);
  return 0;
}

function whatComesNext({ name, live, stage }: KnownRun, { root, now }: Project): string {
  if (!live) return `It is ${stage}, so no stop will be held by it.`;
  const waiting = waitingNow(readSidecar(root, name), now);
  return waiting?.for === 'person'
    ? `The next stop shows the user its question, and it goes on when they have answered: ${inOneParagraph(waiting.what, 2_000)}`
    : 'It goes on at the next stop.';
}
