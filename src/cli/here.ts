// `holdfast` alone: what runs here, and what one could do next.

import fs from 'node:fs';
import { CONFIG_NAME } from '../config/config.ts';
import type { Call, ExitCode } from '../engine/workflow-cli.ts';
import { below } from '../store/paths.ts';
import { allRuns } from '../view/runs.ts';
import { bold, dim } from './paint.ts';
import { stoppedAt } from './resume.ts';
import { status } from './status.ts';
import { FIRST_STEPS, type Step } from './table.ts';

export async function sayWhatRuns(call: Call): Promise<ExitCode> {
  const project = await call.existing();
  const runs = project === null ? [] : await allRuns(project);
  const stopped = runs.flatMap((run) => (project === null ? [] : (stoppedAt(run, [], project) ?? [])));
  if (runs.some(({ live }) => live)) await status.run(call);
  else call.print('Nothing runs here.');
  const steps: readonly Step[] = [
    ...stopped.map(({ name, reason }) => ({
      type: `holdfast resume ${name}`,
      does: `go on: it is ${reason}`,
    })),
    ...(runs.some(({ live }) => live) ? WHILE_IT_RUNS : firstSteps(call)),
    ...(runs.length > 0
      ? []
      : [{ type: 'holdfast demo', does: 'see it at work, without an account or a model' }]),
    { type: 'holdfast help', does: 'all commands' },
  ];
  const width = Math.max(...steps.map(({ type }) => type.length));
  call.print(`\n${bold('What next')}`);
  for (const { type, does } of steps) call.print(`  ${type.padEnd(width)}  ${dim(does)}`);
  return 0;
}

const WHILE_IT_RUNS: readonly Step[] = [
  { type: 'holdfast why', does: 'why the last stop was held or allowed' },
  { type: 'holdfast watch', does: 'see it live' },
  { type: 'holdfast cancel', does: 'end it; the agent is let go at its next stop' },
];

/** How a project is tested is said once. */
function firstSteps({ cwd }: Call): readonly Step[] {
  const isSetUp = fs.existsSync(below(cwd, CONFIG_NAME));
  return FIRST_STEPS.filter(({ type }) => !isSetUp || type !== 'holdfast init');
}
