// `flow status`: where each run stands, and whether its file has changed since.

import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { listRuns } from '../files.ts';
import { readRun } from '../read-run.ts';
import { describeStage } from './describe.ts';
import { changedFile, runs } from './runs.ts';

export const status: Command = {
  name: 'status',
  summary: 'the runs of this project, and where each stands',
  usage: '[--all] [--json]',
  help: 'Runs that have ended are only counted; --all lists them too.',
  options: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  if (call.flags.json) {
    const all = project === null ? [] : runs(project);
    call.print(JSON.stringify({ runs: all.map((each) => ({ ...each, run: `flow:${each.run}` })) }, null, 2));
    return 0;
  }
  const lines = project === null ? [] : describe(project, call.flags.all === true);
  if (lines.length === 0)
    call.print('No flow goes on here. `holdfast flow list` shows which can be started.');
  for (const line of lines) call.print(line);
  return 0;
}

function describe(project: Project, all: boolean): string[] {
  const found = listRuns(project.root).flatMap((id) => {
    const read = readRun(project.root, id);
    return read === null ? [] : [{ id, ...read }];
  });
  const shown = found.filter(({ state }) => all || state.kind !== 'ended');
  const rest = found.length - shown.length;
  return [
    ...shown.flatMap((each) => {
      const { id, run, state } = each;
      const changed = state.kind === 'at' && run !== null ? changedFile(project, run) : null;
      return [`flow:${id}  ${describeStage(each)}`, ...(changed === null ? [] : [`  ${changed}`])];
    }),
    ...(rest === 0 ? [] : [`${rest === 1 ? 'One run has' : `${rest} runs have`} ended (--all lists them).`]),
  ];
}
