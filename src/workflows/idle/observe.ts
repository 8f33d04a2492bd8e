// Reads the loop and what a decision about it depends on. The transcript is not read here: see look.ts.

import type { Observation, Scene } from '../../engine/workflow.ts';
import { mentionsSignal } from '../../text/signals.ts';
import { type Current, type Own, readCurrent, readOwn, stateHash } from './current.ts';
import { type Mode, modes, type Outcome, signalsOf } from './modes.ts';
import type { Facts, State } from './state.ts';
import { HOOK_REACH } from './topic-log.ts';

/** The run that is spoken of when nothing tells which one it is. */
export const NAMELESS = 'current';

export type World = { current: Current; own: Own };

export function observe(scene: Scene): Observation<World, State, Facts> {
  const own = readOwn(scene.own);
  const current = readCurrent(scene.project.root, own, HOOK_REACH);
  // Where another loop has taken this one's place, nothing is left of this one.
  const replaced = current.run !== null && current.run !== scene.run;
  const state: State = replaced ? { kind: 'nothing' } : current.state;
  const hash = stateHash(current);
  const facts: Facts = { now: scene.project.now, signal: signalSoFar(scene, state, own, hash), seen: null };
  return { world: { current, own }, state, facts, stateHash: hash };
}

/** The mode of the frame that is at work, where it is one we know. */
export function topMode(state: State): Mode | null {
  const mode = state.kind === 'loop' ? state.stack.at(-1)?.mode : undefined;
  return mode === undefined || mode === 'unknown' ? null : mode;
}

/** Known without reading on: overheard at an earlier stop, or there is no text in which it could stand. */
function signalSoFar(scene: Scene, state: State, own: Own, hash: string): Facts['signal'] {
  const mode = topMode(state);
  if (mode === null) return 'none';
  const { heard } = own;
  const known = heard?.state === hash ? outcomeOf(mode, heard.signal) : null;
  if (known !== null) return known;
  const { lastMessage, transcriptPath } = scene.stop;
  if (transcriptPath !== null) return 'unread';
  return lastMessage !== null && mentionsSignal(lastMessage, signalsOf(mode)) ? 'unread' : 'none';
}

export function outcomeOf(mode: Mode, signal: string): Outcome | null {
  // A signal overheard may come from a poisoned sidecar and be called `constructor`.
  return Object.hasOwn(modes[mode].signals, signal) ? (modes[mode].signals[signal] ?? null) : null;
}
