// The workflow idle: loops inside loops that hold the agent until it gives a completion signal, reaches a
// limit, or goes stale. What it is to the engine; the work is done in the files beside this one.

import { defineWorkflow } from '../../engine/workflow.ts';
import { commit } from './commit.ts';
import { decide } from './decide.ts';
import { look, signalGiven } from './look.ts';
import { say, sayAgain } from './messages.ts';
import { observe, type World } from './observe.ts';
import { keepSignal } from './saved.ts';
import type { Change, Facts, State } from './types.ts';
import { newestRun, unfinishedRuns } from './unfinished-runs.ts';

export const workflow = defineWorkflow<World, State, Facts, Change>({
  name: 'idle',
  // A loop is bounded by its own maximum, so tool calls alone may go on.
  guard: { unmoved: 6, tools: null },
  claims: true,
  disabled: (env) => env.IDLE_LOOP_DISABLE === '1',
  newestRun,
  unfinishedRuns,
  observe,
  decide,
  look: async (at, context, world) =>
    at === 'limit'
      ? { limited: (await import('./time-at-limits.ts')).unknownToClock(context, world) }
      : look(context, world),
  commit,
  artifacts: () => [],
  say,
  sayAgain,
  released(state, _, holds) {
    const top = state.kind === 'loop' ? state.stack.at(-1) : undefined;
    return { name: 'released', slots: { iteration: top?.iter ?? 0, max: top?.max ?? 0, holds } };
  },
  signalGiven,
  keepSignal,
  inFiles: async (context) => (await import('./in-files.ts')).inFiles(context),
  beforeCompaction: async (context) => (await import('./anchor.ts')).writeAnchor(context),
  afterCompaction: async (context) => (await import('./anchor.ts')).giveAnchorBack(context),
});
