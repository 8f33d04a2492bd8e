// Looks for the signal in the agent's last message: in what the client handed over, then in the transcript,
// which holds the message's other blocks and may lag.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import type { GivenSignal } from '../../engine/workflow.ts';
import { readLastMessage } from '../../text/last-message.ts';
import { type NearMiss, readSignal } from '../../text/signals.ts';
import { type Mode, signalsOf } from './modes.ts';
import { askedOf, readThisLoop, reasonOf, topMode, type World } from './observe.ts';
import { writeWord } from './saved.ts';
import type { Facts } from './types.ts';

type Looked = Pick<Facts, 'signal' | 'nearMiss' | 'seen'>;

export async function look(context: RunContext, { found }: World): Promise<Looked> {
  const mode = topMode(found.state);
  if (mode === null) return { signal: 'none', nearMiss: 'none', seen: null };
  const { signal, nearMiss, seen } = await findSignal(context, mode);
  return { signal: signal === null ? 'none' : (reasonOf(mode, signal) ?? 'none'), nearMiss, seen };
}

type FoundSignal = { signal: string | null; nearMiss: NearMiss; seen: string | null };

/** A signal given while the loop was passed by, with the state it was given in: a later state it does not end. */
export async function signalGiven(context: RunContext): Promise<GivenSignal | null> {
  const { state, hash } = readThisLoop(context);
  const mode = topMode(state);
  if (mode === null) return null;
  const { signal } = await findSignal(context, mode);
  return signal === null ? null : { word: writeWord({ signal, state: hash }), state: hash };
}

/** Each block is a text of its own: a fence left open in one does not reach into the next. */
async function findSignal(context: RunContext, mode: Mode): Promise<FoundSignal> {
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
