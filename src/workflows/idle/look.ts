// Looks for the signal in the agent's last message: in what the client handed over, then in the transcript,
// which holds the message's other blocks and may lag.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import { readLastMessage } from '../../text/last-message.ts';
import { type NearMiss, readSignal } from '../../text/signals.ts';
import { type Mode, signalsOf } from './modes.ts';
import { askedOf, outcomeOf, topMode, type World } from './observe.ts';
import type { Facts } from './types.ts';

type Looked = Pick<Facts, 'signal' | 'nearMiss' | 'seen'>;

export async function look(context: RunContext, { current }: World): Promise<Looked> {
  const mode = topMode(current.state);
  if (mode === null) return { signal: 'none', nearMiss: 'none', seen: null };
  const { signal, nearMiss, seen } = await listen(context, mode);
  return { signal: signal === null ? 'none' : (outcomeOf(mode, signal) ?? 'none'), nearMiss, seen };
}

type Heard = { signal: string | null; nearMiss: NearMiss; seen: string | null };

/** Each block is a text of its own: a fence left open in one does not reach into the next. */
export async function listen(context: RunContext, mode: Mode): Promise<Heard> {
  const { stop } = context;
  const signals = signalsOf(mode);
  const given = await readSignal(stop.lastMessage ?? '', signals);
  if (given.signal !== null) return { ...given, seen: null };
  let { nearMiss } = given;
  const { readTranscriptLine } = clientNamed(stop.client);
  const { blocks, newest } = await readLastMessage(askedOf(context), readTranscriptLine);
  for (const block of blocks) {
    const read = await readSignal(block, signals);
    if (read.signal !== null) return { ...read, seen: newest };
    if (nearMiss === 'none') nearMiss = read.nearMiss;
  }
  return { signal: null, nearMiss, seen: newest };
}
