// The workflow flow: a team's own states and lines between them, written in YAML, compiled and gone through before a run
// starts. What it is to the engine; the hook reads the compiled definition and never YAML.

import { defineWorkflow } from '../../engine/workflow.ts';
import { commit } from './commit.ts';
import { decide } from './decide.ts';
import { look, signalGiven } from './look.ts';
import { say, sayAgain } from './messages.ts';
import { observe, type World } from './observe.ts';
import { reviewCall } from './review-call.ts';
import { keepSignal } from './saved.ts';
import type { Change, Facts, State } from './types.ts';
import { newestRun, unfinishedRuns } from './unfinished-runs.ts';

export const workflow = defineWorkflow<World, State, Facts, Change>({
  name: 'flow',
  // A run is bounded by its own holds, so tool calls alone may go on.
  guard: { unmoved: 6, tools: null },
  claims: true,
  pauses: true,
  disabled: () => false,
  newestRun,
  unfinishedRuns,
  observe,
  decide,
  look,
  commit,
  artifacts: () => [],
  say,
  sayAgain,
  released: (state, _, holds) => ({
    name: 'released',
    slots: { state: state.kind === 'at' ? state.at : '', holds },
  }),
  reviewCall,
  signalGiven,
  keepSignal,
  inFiles: async (context) => (await import('./in-files.ts')).inFiles(context),
});
