// The adversarial plan loop and the one-shot diff review, as the hook drives them. The commands are in cli/

import { defineWorkflow } from '../../engine/workflow.ts';
import { commit, setStraysAside } from './commit.ts';
import { decide } from './decide.ts';
import { planFile, stateDirOf } from './files.ts';
import { say, sayAgain } from './messages.ts';
import { observe } from './observe.ts';
import { newestRun, unfinishedRuns } from './unfinished-runs.ts';

export const workflow = defineWorkflow({
  name: 'claudex',
  guard: { unmoved: 3, tools: 12 },
  disabled: () => false,
  newestRun,
  unfinishedRuns,
  putAway: (project) => setStraysAside(stateDirOf(project), project.now),
  observe,
  decide,
  commit,
  inFiles: async (context) => (await import('./in-files.ts')).inFiles(context),
  asksForReview: ({ runner }) => runner !== undefined,
  // Only files that exist: a round that has just begun must not look like something that moved.
  artifacts: ({ dir, files, rounds }) => [
    planFile(dir),
    ...Array.from(rounds.keys(), (round) => files.findings(round)),
  ],
  say,
  sayAgain,
  released: ({ phase, round, maxRounds }, _, holds) => ({
    name: 'released',
    slots: { phase, round, max: maxRounds, holds },
  }),
});
