// A client's own cap: how many holds it honours after one prompt. The last of them says so to the agent; after it a hold
// would be heeded by nobody, so the run waits for the next prompt instead.

import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { NEW_SESSION, type SessionIndex } from '../../store/records.ts';
import { readSession, writeSession } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';

type AtStop = Pick<StopContext, 'stop' | 'project'>;

export type HoldsLeft = {
  /** How the client is called. */
  title: string;
  most: number;
  left: number;
  more: string | undefined;
};

/** Null: the client honours as many as we like, or a person fired the hook. */
export function holdsLeft({ stop, project }: AtStop): HoldsLeft | null {
  const { title, holdsPerPrompt } = clientNamed(stop.client);
  if (holdsPerPrompt === undefined || stop.session === null) return null;
  const most = holdsPerPrompt.most(project.env);
  const count = heldInRow(readSession(project.root, stop.session), stop);
  return { title, most, left: Math.max(0, most - count), more: holdsPerPrompt.more };
}

/** For the last hold that is honoured; null: it is another one. */
export function lastHoldLine(at: AtStop): string | null {
  const left = holdsLeft(at);
  if (left?.left !== 1) return null;
  return `This is the last time that ${left.title} lets you be sent back after this prompt: it ends your next turn, done or not. Get as far as you can within it, and say at its end what is left.`;
}

/**
 * Under the lock, once the hold is committed: a hook that dies in between has held nobody, and neither has its client.
 * Where it cannot be written the hold stands: at worst the client ends a turn before we say that it will.
 */
export function countHold({ stop, project }: AtStop): void {
  const { session, turn } = stop;
  if (session === null || clientNamed(stop.client).holdsPerPrompt === undefined) return;
  try {
    const index = readSession(project.root, session) ?? NEW_SESSION;
    const count = heldInRow(index, stop) + 1;
    writeSession(project.root, session, { ...index, holds: { turn, count } });
  } catch {
    // As said above.
  }
}

/** A prompt begins a new row: told by its id, or by the client, which knows whether a hold began this turn. */
function heldInRow(index: SessionIndex | null, { turn, afterHold }: Stop): number {
  const holds = index?.holds;
  return holds === undefined || afterHold === false || holds.turn !== turn ? 0 : holds.count;
}
