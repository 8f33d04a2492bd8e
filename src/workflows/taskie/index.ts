// The workflow taskie, as the hook loads it: a plan, its tasks and their code, each reviewed by fresh reviewers
// until two reviews in a row are clean.

import { defineWorkflow } from '../../engine/workflow.ts';
import { commit } from './commit.ts';
import { decide } from './decide.ts';
import { look } from './look.ts';
import { say, sayAgain } from './messages.ts';
import { artifacts, observe } from './observe.ts';
import { reviewCall } from './review-call.ts';
import { newestRun, unfinishedRuns, unusedRuns } from './unfinished-runs.ts';

export const workflow = defineWorkflow({
  name: 'taskie',
  guard: { unmoved: 3, tools: 12 },
  claims: true,
  disabled: (env) => env.TASKIE_HOOK_SKIP === 'true',
  newestRun,
  unfinishedRuns,
  unusedRuns,
  observe,
  decide,
  look,
  commit,
  artifacts,
  say: (message, world, context) => say(message, context, world),
  sayAgain: (message, world, context) => sayAgain(message, context, world),
  released: (state, context, holds) => {
    const next = state.kind === 'known' && state.next !== null && state.next !== 'other' ? state.next : null;
    return { name: 'released', slots: { plan: context.run, next: next ?? 'fixing the plan folder', holds } };
  },
  reviewCall,
  inFiles: async (context) => (await import('./in-files.ts')).inFiles(context),
});
