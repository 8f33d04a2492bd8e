// The adversarial plan loop and the one-shot diff review, as the hook drives them. The commands are in cli/

import type { Project } from '../../engine/project.ts';
import { defineWorkflow, type UnfinishedRun } from '../../engine/workflow.ts';
import { commit, setStraysAside } from './commit.ts';
import { decide } from './decide.ts';
import { placeOf, planFile } from './files.ts';
import { readLoops } from './loops.ts';
import { say } from './messages.ts';
import { newestRun, observe } from './observe.ts';
import { isFinished } from './state-format.ts';

export const workflow = defineWorkflow({
  name: 'claudex',
  guard: { unmoved: 3, tools: 12 },
  disabled: () => false,
  newestRun,
  unfinishedRuns,
  putAway: (project) => setStraysAside(placeOf(project), project.now),
  observe,
  decide,
  commit,
  // Only files that exist: a round that has just begun must not look like something that moved.
  artifacts: ({ place, files, rounds }) => [
    planFile(place),
    ...Array.from(rounds.keys(), (round) => files.findings(round)),
  ],
  say,
  released: ({ phase, round, maxRounds }) => ({ name: 'released', slots: { phase, round, max: maxRounds } }),
});

/** An unknown phase counts as live: nobody has said that it is over. */
function unfinishedRuns(project: Project): UnfinishedRun[] {
  return readLoops(placeOf(project))
    .filter(({ loop }) => !isFinished(loop.phase))
    .map(({ id }) => ({ run: `claudex:${id}`, adopt: `${project.cli} adopt claudex:${id}` }));
}
