// `holdfast dismiss`: puts away runs that have ended, for this user alone. A new stop or `resume` brings one back.

import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { noteLooked } from '../store/looked.ts';
import { shownWord } from '../text/quoted.ts';
import type { RunView } from '../view/model.ts';
import { viewsIn } from '../view/project-reader.ts';
import { describeEnd } from '../view/run-state.ts';
import { pickRun } from '../view/runs.ts';

export const dismiss: Command = {
  name: 'dismiss',
  summary: 'put a run that has ended out of sight',
  usage: 'RUN | --ended',
  help: `--ended: all that have ended in this project.
It is out of sight in status, watch and web, for you alone; nothing of it is removed, and \`holdfast status --all\` still
lists it. A new stop of it or \`holdfast resume\` brings it back.`,
  options: { ended: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 1 },
  run: dismissRuns,
};

async function dismissRuns(call: Call): Promise<ExitCode> {
  const [named] = call.words;
  const all = call.flags.ended === true;
  if (all === (named !== undefined))
    throw new WrongUsage('dismiss: name a run, or say --ended for all that have ended.');
  const project = await call.existing();
  if (project === null) throw new NotNow('there are no runs here, so there is nothing to dismiss.');
  const runs = await viewsIn(project);
  if (named !== undefined) {
    call.print(dismissRun(project.root, pickRun(runs, named), call.env));
    return 0;
  }
  const ended = runs.filter(({ live, dismissed }) => !live && !dismissed);
  if (ended.length > 0) putAway(project.root, ended, call.env);
  call.print(
    ended.length === 0
      ? 'No run here has ended that is still in sight.'
      : `Dismissed ${ended.length === 1 ? '1 run' : `${ended.length} runs`} that had ended.`,
  );
  return 0;
}

/** Answers with a line for the user. */
export function dismissRun(root: string, run: RunView, env: Environment): string {
  if (run.live)
    throw new NotNow(
      `${run.name} has not ended: cancel it first, \`holdfast cancel ${shownWord(run.name)}\`.`,
    );
  putAway(root, [run], env);
  return `Dismissed ${run.name}${run.end === null ? '' : ` (${describeEnd(run.end)})`}.`;
}

function putAway(root: string, runs: readonly RunView[], env: Environment): void {
  noteLooked(
    root,
    env,
    'dismissed',
    Object.fromEntries(runs.map(({ name, movedAt }) => [name, movedAt ?? 0])),
  );
}
