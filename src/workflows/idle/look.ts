// Looks for the signal in the agent's last message: in what the client handed over, then in the transcript,
// which holds the message's other blocks and may lag.

import { clientNamed } from '../../clients/index.ts';
import type { Scene } from '../../engine/workflow.ts';
import { readLastMessage } from '../../text/last-message.ts';
import { findSignal } from '../../text/signals.ts';
import { type Mode, signalsOf } from './modes.ts';
import { askedOf, outcomeOf, topMode, type World } from './observe.ts';
import type { Facts } from './state.ts';

export async function look(scene: Scene, { current }: World): Promise<Pick<Facts, 'signal' | 'seen'>> {
  const mode = topMode(current.state);
  if (mode === null) return { signal: 'none', seen: null };
  const { signal, seen } = await listen(scene, mode);
  return { signal: signal === null ? 'none' : (outcomeOf(mode, signal) ?? 'none'), seen };
}

type Heard = { signal: string | null; seen: string | null };

/** Each block is a text of its own: a fence left open in one does not reach into the next. */
export async function listen(scene: Scene, mode: Mode): Promise<Heard> {
  const { stop } = scene;
  const signals = signalsOf(mode);
  const given = stop.lastMessage === null ? null : await findSignal(stop.lastMessage, signals);
  if (given !== null) return { signal: given, seen: null };
  const { readTranscriptLine } = clientNamed(stop.client);
  const { blocks, newest } = await readLastMessage(askedOf(scene), readTranscriptLine);
  for (const block of blocks) {
    const signal = await findSignal(block, signals);
    if (signal !== null) return { signal, seen: newest };
  }
  return { signal: null, seen: newest };
}
