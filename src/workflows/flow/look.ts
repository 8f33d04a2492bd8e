// The costly facts, fetched outside the lock when a line needs them: the signal in the agent's last message, files and what
// they are like, and at the first stop the pin.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import type { GivenSignal } from '../../engine/workflow.ts';
import { readLastMessage } from '../../text/last-message.ts';
import { type NearMiss, readSignal } from '../../text/signals.ts';
import { askedOf, standsIn, type World } from './observe.ts';
import { pinFlow } from './pin.ts';
import { readRun } from './read-run.ts';
import { writeWord } from './saved.ts';
import { nameOf, signalOf } from './signal.ts';
import { signalsIn } from './stand.ts';
import { type Facts, NO_SIGNAL } from './types.ts';

export async function look(at: string, context: RunContext, world: World): Promise<Partial<Facts>> {
  const { project, run } = context;
  if (at === 'pin') return { pinned: pinFlow(project, run, world.text) };
  if (at === 'signal') return lookForSignal(context, world);
  const { entryMarks, filesNow, reviewContent } = await import('./look-at-files.ts');
  if (at === 'files') return { files: await filesNow(project, world) };
  if (at === 'content') return { content: await reviewContent(project, world) };
  const to = at.slice('marks '.length);
  return { marks: { of: to, marks: await entryMarks(project, world.definition, to) } };
}

async function lookForSignal(context: RunContext, world: World): Promise<Partial<Facts>> {
  const state = standsIn(world);
  if (state === null) return { signal: NO_SIGNAL };
  const { signal, nearMiss, seen } = await findSignal(context, signalsIn(state.lines));
  return { signal: signal ?? NO_SIGNAL, nearMiss, seen };
}

/** A signal given while the run was passed by, with the state it was given in. */
export async function signalGiven(context: RunContext): Promise<GivenSignal | null> {
  const found = readRun(context.project.root, context.run);
  const state = found === null ? null : standsIn(found);
  if (found === null || state === null) return null;
  const { signal } = await findSignal(context, signalsIn(state.lines));
  const { stateHash } = found;
  return signal === null ? null : { word: writeWord({ name: signal, state: stateHash }), state: stateHash };
}

type FoundSignal = { signal: string | null; nearMiss: NearMiss; seen: string | null };

/** Each block is a text of its own: a fence left open in one does not reach into the next. */
async function findSignal(context: RunContext, names: readonly string[]): Promise<FoundSignal> {
  if (names.length === 0) return { signal: null, nearMiss: 'none', seen: null };
  const { stop } = context;
  const signals = names.map(signalOf);
  const given = await readSignal(stop.lastMessage ?? '', signals);
  if (given.signal !== null) return { ...given, signal: nameOf(given.signal), seen: null };
  let { nearMiss } = given;
  const { readTranscriptLine } = clientNamed(stop.client);
  const { blocks, newest } = await readLastMessage(askedOf(context), readTranscriptLine);
  for (const block of blocks) {
    const read = await readSignal(block, signals);
    if (read.signal !== null) return { ...read, signal: nameOf(read.signal), seen: newest };
    if (nearMiss === 'none') nearMiss = read.nearMiss;
  }
  return { signal: null, nearMiss, seen: newest };
}
