// The progress guard (pure): may this run hold the agent once more, or is it time to let go? It counts
// holds in a row, per run and session, and only what others moved counts as progress: the state (a command,
// a person), an artifact, or at least a tool call of the agent.

import type { GuardMemory } from '../../store/records.ts';

/** What happened since the last hold of this session on this run. */
export type Movement = {
  /** The state is not what the hook last committed. */
  state: boolean;
  artifacts: boolean;
  /** Did the agent call a tool? Unknown when the transcript does not show it. */
  tools: 'yes' | 'no' | 'unknown';
  /** The agent called `holdfast wait`, and has not used up the time for that: all rows stand still. */
  waited?: boolean;
};

/** Holds in a row that are delivered; the next one is not. Null: bounded by the workflow itself. */
export type GuardLimits = { unmoved: number; tools: number | null; unknown: number };

export type GuardAnswer =
  /** Go on holding; `memory` is to be committed before the hold is answered. */
  | { kind: 'hold'; memory: GuardMemory }
  /** Let go. `first`: the user has not been notified yet. */
  | { kind: 'release'; first: boolean; memory: GuardMemory };

export function weigh(memory: GuardMemory, movement: Movement, limits: GuardLimits): GuardAnswer {
  if (movement.state || movement.artifacts) return hold(memory, NOTHING_COUNTED);
  if (memory.released) return { kind: 'release', first: false, memory };
  if (movement.waited) return hold(memory, {});
  const counts = count(memory, movement.tools);
  if (exhausted(counts, limits) === null) return hold(memory, counts);
  return { kind: 'release', first: true, memory: { ...memory, released: true } };
}

/** Which row of holds reached its limit at a release, and how many holds were in it. */
export function rowAtLimit(
  memory: Counts & { held: boolean },
  movement: Movement,
  limits: GuardLimits,
): { row: keyof Counts; holds: number } {
  const row = exhausted(count(memory, movement.tools), limits) ?? 'noProgress';
  return { row, holds: memory[row] };
}

/** Is the state another one than the hook's own last commit found or left? */
export function movedByOthers(ours: { before: string; after: string } | null, stateHash: string): boolean {
  return ours !== null && stateHash !== ours.before && stateHash !== ours.after;
}

/**
 * A stop that is allowed makes the state ours: what others moved up to now cannot be known afterwards, so it
 * counts at once. A run that was let go is live again by it.
 */
export function settle(memory: GuardMemory, stateMoved: boolean): GuardMemory {
  return stateMoved ? { ...memory, ...NOTHING_COUNTED, released: false } : memory;
}

/** Would a tool call change the answer? Then it is worth waiting for a transcript that lags. */
export function dependsOnTools(
  memory: GuardMemory,
  movement: Omit<Movement, 'tools'>,
  limits: GuardLimits,
): boolean {
  const withTools = weigh(memory, { ...movement, tools: 'yes' }, limits);
  const without = weigh(memory, { ...movement, tools: 'no' }, limits);
  return withTools.kind !== without.kind;
}

type Counts = Pick<GuardMemory, 'noProgress' | 'noTools' | 'toolsUnknown'>;

const NOTHING_COUNTED: Counts = { noProgress: 0, noTools: 0, toolsUnknown: 0 };

/** A tool call ends the row of holds without one, but not the row of holds in which nothing really moved. */
function count(memory: Counts & { held: boolean }, tools: Movement['tools']): Counts {
  // The first hold opens every row: there is nothing yet to compare it with.
  if (!memory.held) return { noProgress: 1, noTools: 1, toolsUnknown: 1 };
  const noProgress = memory.noProgress + 1;
  switch (tools) {
    case 'yes':
      return { noProgress, noTools: 0, toolsUnknown: 0 };
    case 'unknown':
      return { noProgress, noTools: 0, toolsUnknown: memory.toolsUnknown + 1 };
    case 'no':
      return { noProgress, noTools: memory.noTools + 1, toolsUnknown: memory.toolsUnknown };
  }
}

function exhausted(counts: Counts, limits: GuardLimits): keyof Counts | null {
  if (counts.noTools > limits.unmoved) return 'noTools';
  if (counts.toolsUnknown > limits.unknown) return 'toolsUnknown';
  return limits.tools !== null && counts.noProgress > limits.tools ? 'noProgress' : null;
}

function hold(memory: GuardMemory, counts: Partial<Counts>): GuardAnswer {
  return { kind: 'hold', memory: { ...memory, ...counts, held: true, released: false } };
}
