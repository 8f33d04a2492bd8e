// Before a run that is driven begins, its checks run once: what was red before does not hold it at its end.

import type { Project } from '../../engine/project.ts';
import { isTrusted, trustOf } from '../../engine/proof/trust.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { check } from '../check.ts';

/** Only those that are trusted run. What they say is kept; here it is only shown. */
export async function takeBaselines(project: Project, call: Call): Promise<void> {
  const trust = trustOf(project);
  const before = Date.now() + 1;
  const names = project.config.checks
    .filter((each) => each.from === 'project' && isTrusted(each, trust, before))
    .map(({ name }) => name);
  if (names.length === 0 || call.flags.json === true) {
    if (names.length > 0) await run(project, call, names, () => {});
    return;
  }
  call.print(`The checks before the run: ${names.join(', ')}`);
  await run(project, call, names, call.print);
}

async function run(
  project: Project,
  call: Call,
  names: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const opened = async (): Promise<Project> => project;
  await check.run({ ...call, flags: {}, words: names, print, existing: opened, forNewRun: opened });
}
