// The workflow idle: loops inside loops that hold the agent until it gives a completion signal, reaches a
// limit, or goes stale. What it is to the engine; the work is done in the files beside this one.

import type { RunContext } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import { defineWorkflow, type GivenSignal, type UnfinishedRun } from '../../engine/workflow.ts';
import type { Json } from '../../store/json.ts';
import { commit } from './commit.ts';
import { decide, isLive } from './decide.ts';
import { listen, look } from './look.ts';
import { say } from './messages.ts';
import { NAMELESS, observe, readLoop, topMode, type World } from './observe.ts';
import { NEW_OWN, readCurrent, readOwn, readWord, writeOwn, writeWord } from './read-loop.ts';
import { HOOK_REACH } from './topic-log.ts';
import type { Change, Facts, State } from './types.ts';

export const workflow = defineWorkflow<World, State, Facts, Change>({
  name: 'idle',
  // A loop is bounded by its own maximum, so tool calls alone may go on.
  guard: { unmoved: 6, tools: null },
  disabled: (env) => env.IDLE_LOOP_DISABLE === '1',
  newestRun,
  unfinishedRuns,
  observe,
  decide,
  look: (_, context, world) => look(context, world),
  commit,
  artifacts: () => [],
  say,
  released(state) {
    const top = state.kind === 'loop' ? state.stack.at(-1) : undefined;
    return { name: 'released', slots: { iteration: top?.iter ?? 0, max: top?.max ?? 0 } };
  },
  signalGiven,
  keepSignal,
  beforeCompaction: async (context) => (await import('./anchor.ts')).writeAnchor(context),
  afterCompaction: async (context) => (await import('./anchor.ts')).giveAnchorBack(context),
});

function newestRun({ root }: Project): string | null {
  try {
    const { state, run } = readCurrent(root, NEW_OWN, HOOK_REACH);
    return state.kind === 'nothing' ? null : (run ?? NAMELESS);
  } catch {
    return NAMELESS; // Read again when the run is served, where an error is told to the user.
  }
}

function unfinishedRuns(project: Project): UnfinishedRun[] {
  try {
    const { state, run } = readCurrent(project.root, NEW_OWN, HOOK_REACH);
    if (run === null || !isLive(state, project.now)) return [];
    return [{ run: `idle:${run}`, adopt: `${project.cli} adopt idle:${run}` }];
  } catch {
    return [];
  }
}

/** A signal given while the loop was passed by, with the state it was given in: a later state it does not end. */
async function signalGiven(context: RunContext): Promise<GivenSignal | null> {
  const { state, hash } = readLoop(context);
  const mode = topMode(state);
  if (mode === null) return null;
  const { signal } = await listen(context, mode);
  return signal === null ? null : { word: writeWord({ signal, state: hash }), state: hash };
}

function keepSignal(saved: Json | undefined, word: string): Json {
  return writeOwn({ ...readOwn(saved), heard: readWord(word) });
}
